import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { cx } from './cx.ts';
import { Tooltip } from './tooltip.tsx';

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> {
  /** The name, read out and shown in the tooltip. */
  label: string;
  keys?: string;
  icon: ReactNode;
  on?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function IconButton({ label, keys, icon, on, className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} {...(keys && { keys })}>
      <button
        type="button"
        aria-label={label}
        aria-pressed={on}
        {...rest}
        className={cx(
          'inline-grid size-7.5 flex-none place-items-center rounded-2 text-text-2 transition-colors duration-120 hover:bg-sunken hover:text-text',
          'pointer-coarse:size-11 disabled:opacity-50',
          on && 'bg-selected text-text',
          className,
        )}
      >
        {icon}
      </button>
    </Tooltip>
  );
}
