export interface Painter<T> {
  add(item: T): void;
  /** Shows at once what was not shown yet. */
  flush(): void;
}

/** Collects what comes and hands it on once a frame. A page in the background has no frames: it waits for a while. */
export function paintOncePerFrame<T>(paint: (items: readonly T[]) => void): Painter<T> {
  let items: T[] = [];
  let cancel: (() => void) | undefined;
  const flush = () => {
    cancel?.();
    cancel = undefined;
    if (items.length === 0) return;
    const shown = items;
    items = [];
    paint(shown);
  };
  return {
    add(item) {
      items.push(item);
      if (cancel) return;
      const frame = requestAnimationFrame(flush);
      const timer = setTimeout(flush, 400);
      cancel = () => {
        cancelAnimationFrame(frame);
        clearTimeout(timer);
      };
    },
    flush,
  };
}
