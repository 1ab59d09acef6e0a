import { cloneElement, type HTMLAttributes, isValidElement, type ReactElement, type ReactNode } from 'react';

type Props = HTMLAttributes<HTMLElement>;

/** A button that opens something which is not loaded yet. It is named and behaves as the one that takes its place. */
export function openingPress(
  trigger: ReactNode,
  kind: 'menu' | 'dialog',
  load: () => Promise<unknown>,
  open: () => void,
): ReactNode {
  if (!isValidElement(trigger)) return trigger;
  // Without a network it is loaded when it is opened.
  const warm = () => void load().catch(() => {});
  const { onKeyDown, onPointerEnter, onFocus } = (trigger as ReactElement<Props>).props;
  return cloneElement(trigger as ReactElement<Props>, {
    'aria-haspopup': kind,
    'aria-expanded': false,
    onPointerEnter: (event) => {
      onPointerEnter?.(event);
      warm();
    },
    onFocus: (event) => {
      onFocus?.(event);
      warm();
    },
    onClick: open,
    onKeyDown: (event) => {
      onKeyDown?.(event);
      if (kind !== 'menu' || event.key !== 'ArrowDown') return;
      event.preventDefault();
      open();
    },
  });
}
