import {
  cloneElement,
  type HTMLAttributes,
  isValidElement,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { cx } from './cx.ts';
import { placeBeside } from './place-beside.ts';

type Handlers = Pick<
  HTMLAttributes<HTMLElement>,
  'onPointerEnter' | 'onPointerLeave' | 'onFocus' | 'onBlur' | 'onPointerDown'
>;

interface TooltipProps {
  text: ReactNode;
  keys?: string;
  /** One element that takes the focus. */
  children: ReactNode;
  /** A card with more than a line, such as the quote of a source. */
  card?: boolean;
  /** How long it is pointed at before it shows, in milliseconds. */
  delay?: number;
}

/**
 * A line beside a control while it is pointed at or has the focus. Never the only place of what it says. Our own: every
 * page has one, and a library for it would be a tenth of the first load.
 */
export function Tooltip({ text, keys, children, card, delay = 400 }: TooltipProps) {
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement>();
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const close = () => {
    clearTimeout(waiting.current);
    setAnchor(undefined);
  };
  useEffect(() => () => clearTimeout(waiting.current), []);
  useEffect(() => {
    if (!anchor) return;
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && setAnchor(undefined);
    window.addEventListener('keydown', onKey);
    window.addEventListener('scroll', close, true);
    return () => {
      window.removeEventListener('keydown', onKey);
      window.removeEventListener('scroll', close, true);
    };
  });
  if (!isValidElement(children)) return children;
  const child = children as ReactElement<Handlers & { 'aria-describedby'?: string | undefined }>;
  const own = child.props;
  const trigger = cloneElement(child, {
    'aria-describedby': anchor ? cx(own['aria-describedby'], id) : own['aria-describedby'],
    onPointerEnter: (event) => {
      own.onPointerEnter?.(event);
      const target = event.currentTarget;
      if (event.pointerType !== 'touch') waiting.current = setTimeout(() => setAnchor(target), delay);
    },
    onPointerLeave: (event) => {
      own.onPointerLeave?.(event);
      close();
    },
    onPointerDown: (event) => {
      own.onPointerDown?.(event);
      close();
    },
    onFocus: (event) => {
      own.onFocus?.(event);
      if (event.currentTarget.matches(':focus-visible')) setAnchor(event.currentTarget);
    },
    onBlur: (event) => {
      own.onBlur?.(event);
      close();
    },
  } satisfies Handlers & { 'aria-describedby'?: string | undefined });
  return (
    <>
      {trigger}
      {anchor &&
        createPortal(
          <div
            id={id}
            role="tooltip"
            ref={(shown) => void (shown && placeBeside(shown, anchor))}
            className={cx(
              'enter pointer-events-none fixed z-50 shadow-2',
              card
                ? 'w-80 max-w-[92vw] rounded-3 border border-line bg-surface p-3 text-dense'
                : 'flex max-w-80 items-center gap-2 rounded-2 bg-text px-2 py-1 text-caption text-surface',
            )}
          >
            {text}
            {keys && <span className="opacity-70">{keys}</span>}
          </div>,
          document.body,
        )}
    </>
  );
}
