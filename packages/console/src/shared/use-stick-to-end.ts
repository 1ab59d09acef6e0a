import { useEffect, useRef } from 'react';

/** Keeps the end of a scrolled part in view while it grows, until the reader scrolls up. */
export function useStickToEnd() {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const pinned = useRef(true);
  useEffect(() => {
    const element = scroller.current;
    if (!element || !content.current) return;
    const toEnd = () => {
      if (pinned.current) element.scrollTop = element.scrollHeight;
    };
    const onScroll = () => {
      pinned.current = element.scrollHeight - element.scrollTop - element.clientHeight < 40;
    };
    const observer = new ResizeObserver(toEnd);
    observer.observe(content.current);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, []);
  /** One's own words are always brought into view. */
  const pin = () => {
    pinned.current = true;
  };
  return { scroller, content, pin };
}
