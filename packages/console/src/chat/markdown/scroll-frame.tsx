import { type ReactNode, useEffect, useRef, useState } from 'react';
import { cx } from '../../ui/cx.ts';

/** Less than this is no more to see. */
const slack = 2;

/** At which ends there is more than is shown. Right to left the place is counted in negative pixels. */
function useMore() {
  const frame = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState({ start: false, end: false });
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const look = () => {
      const at = Math.abs(element.scrollLeft);
      const next = { start: at > slack, end: element.scrollWidth - element.clientWidth - at > slack };
      setMore((now) => (now.start === next.start && now.end === next.end ? now : next));
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    if (element.firstElementChild) observer.observe(element.firstElementChild);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, []);
  return { frame, more };
}

interface ScrollFrameProps {
  label: string;
  className: string;
  dir?: 'ltr' | 'auto';
  children: ReactNode;
}

/** Scrolls what is wider than its place, also with the keyboard. An end beyond which there is more fades. */
export function ScrollFrame({ label, className, dir, children }: ScrollFrameProps) {
  const { frame, more } = useMore();
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no set of fields.
    <div
      ref={frame}
      role="group"
      aria-label={label}
      dir={dir}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard.
      tabIndex={0}
      className={cx(
        className,
        'outline-offset-[-2px] focus-visible:[mask-image:none] print:overflow-visible print:[mask-image:none]',
        more.start && 'fade-start',
        more.end && 'fade-end',
      )}
    >
      {children}
    </div>
  );
}
