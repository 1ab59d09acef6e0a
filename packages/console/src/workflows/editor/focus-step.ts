const frames = 40;

/** The step in the canvas or the outline, whichever is shown. */
const elementOf = (id: string) =>
  document.querySelector<HTMLElement>(
    `.react-flow__node[data-id="${CSS.escape(id)}"], [data-outline-step="${CSS.escape(id)}"]`,
  );
/** A dialog or a menu that closes gives the focus back to its opener. */
export const isLayerOpen = () => document.querySelector('[role="dialog"], [role="menu"]') !== null;

let leave: (() => void) | undefined;

/**
 * Gives the focus to a step once it is drawn. A step that was out of view is drawn a moment later, and a closing menu takes the
 * focus once more, so it is tried for some frames, but never after the person has pressed a key.
 */
export function focusStep(id: string): void {
  leave?.();
  let left = frames;
  let steady = 0;
  const stop = () => {
    left = 0;
    window.removeEventListener('keydown', stop, true);
    window.removeEventListener('pointerdown', stop, true);
  };
  leave = stop;
  const attempt = () => {
    if (left-- <= 0) return stop();
    const element = isLayerOpen() ? null : elementOf(id);
    if (element && document.activeElement === element) steady++;
    else {
      steady = 0;
      element?.focus({ preventScroll: true });
    }
    if (steady >= 4) return stop();
    requestAnimationFrame(attempt);
  };
  // The key that caused this is over with the next frame.
  requestAnimationFrame(() => {
    window.addEventListener('keydown', stop, true);
    window.addEventListener('pointerdown', stop, true);
    attempt();
  });
}
