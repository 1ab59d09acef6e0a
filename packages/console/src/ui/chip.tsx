import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx.ts';

export type Tone = 'plain' | 'ok' | 'warn' | 'bad' | 'info' | 'accent';
const tones: Record<Tone, string> = {
  plain: 'bg-sunken text-text-2',
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
  accent: 'bg-accent-soft text-accent',
};
const dots: Record<Tone, string> = {
  ...{ plain: 'bg-text-3', ok: 'bg-ok', warn: 'bg-warn', bad: 'bg-bad', info: 'bg-info', accent: 'bg-accent' },
};

interface ChipProps {
  tone?: Tone;
  icon?: ReactNode;
  dot?: boolean;
  children: ReactNode;
  /** Takes the chip away; `removeLabel` names what is taken away. */
  onRemove?: () => void;
  removeLabel?: string;
}

export function Chip({ tone = 'plain', icon, dot, children, onRemove, removeLabel }: ChipProps) {
  return (
    <span
      className={cx(
        'inline-flex h-5.5 max-w-full items-center gap-1.5 rounded-full px-2 text-caption font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      {dot && <Dot tone={tone} />}
      {icon}
      <span className="truncate">{children}</span>
      {onRemove && (
        <button
          type="button"
          aria-label={removeLabel}
          onClick={onRemove}
          className="relative -mr-1 rounded-full p-0.5 after:absolute after:-inset-1 hover:bg-selected"
        >
          <X size={12} aria-hidden />
        </button>
      )}
    </span>
  );
}

export const Dot = ({ tone = 'plain', live }: { tone?: Tone; live?: boolean | undefined }) => (
  <span aria-hidden className={cx('inline-block size-1.75 flex-none rounded-full', dots[tone], live && 'pulse')} />
);
