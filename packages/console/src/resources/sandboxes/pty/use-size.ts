import { type RefObject, useEffect, useState } from 'react';

/** How many lines and characters fit into an element, by the size of a letter in it. */
export function useSize(box: RefObject<HTMLElement | null>, letters: RefObject<HTMLElement | null>, count: number) {
  const [size, setSize] = useState<{ rows: number; cols: number }>();
  useEffect(() => {
    const [around, measure] = [box.current, letters.current];
    if (!around || !measure) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      const { width, height } = measure.getBoundingClientRect();
      const style = getComputedStyle(around);
      const inside = around.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight);
      const high = around.clientHeight - Number.parseFloat(style.paddingTop) - Number.parseFloat(style.paddingBottom);
      if (!width || !height || inside <= 0) return;
      const cols = Math.min(500, Math.max(20, Math.floor(inside / (width / count))));
      const rows = Math.min(200, Math.max(4, Math.floor(high / height)));
      setSize((old) => (old?.rows === rows && old.cols === cols ? old : { rows, cols }));
    };
    look();
    const observer = new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(look, 150);
    });
    observer.observe(around);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [box, letters, count]);
  return size;
}
