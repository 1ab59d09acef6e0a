import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { cx } from './cx.ts';
import { Spinner } from './spinner.tsx';
import { Tooltip } from './tooltip.tsx';

const looks = {
  primary:
    'bg-accent border-accent text-on-accent hover:bg-accent-hover hover:border-accent-hover focus-visible:outline-text',
  plain: 'bg-surface border-line-2 text-text hover:bg-sunken',
  ghost: 'bg-transparent border-transparent text-text-2 hover:bg-sunken hover:text-text',
  danger: 'bg-surface border-bad-line text-bad hover:bg-bad-soft',
  /** The last step of a deletion, in the dialog that asks for it. */
  destroy: 'bg-bad border-bad text-surface hover:opacity-90 focus-visible:outline-text',
} as const;
const sizes = {
  small: 'h-7 px-2.5 text-dense',
  normal: 'h-8 px-3 text-label',
  large: 'h-10 px-4.5 text-base',
} as const;

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: keyof typeof looks;
  size?: keyof typeof sizes;
  icon?: ReactNode;
  /** While true the button can't be pressed and shows that something is under way. */
  busy?: boolean | undefined;
  /** Why the button is off: it stays focusable, and says so in its tooltip. */
  refused?: string | false | undefined;
  ref?: Ref<HTMLButtonElement>;
}

export function Button({
  look = 'plain',
  size = 'normal',
  icon,
  busy,
  refused,
  className,
  children,
  ...rest
}: ButtonProps) {
  const off = Boolean(busy || refused || rest.disabled);
  const button = (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled}
      aria-disabled={off || undefined}
      aria-busy={busy || undefined}
      onClick={off ? (event) => event.preventDefault() : rest.onClick}
      className={cx(
        'inline-flex items-center justify-center gap-1.5 rounded-2 border font-medium whitespace-nowrap transition-colors duration-120',
        'pointer-coarse:min-h-11',
        ...[looks[look], sizes[size], off && 'opacity-60 cursor-default!', className],
      )}
    >
      {busy ? <Spinner /> : icon}
      {children}
    </button>
  );
  return refused ? <Tooltip text={refused}>{button}</Tooltip> : button;
}
