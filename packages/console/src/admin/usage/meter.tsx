import { cx } from '../../ui/cx.ts';

/** A part of a whole as a bar; its sentence is read out in its place. */
export function Meter({
  part,
  label,
  tone = 'accent',
}: {
  part: number;
  label: string;
  tone?: 'accent' | 'warn' | 'bad';
}) {
  const looks = { accent: 'bg-accent', warn: 'bg-warn', bad: 'bg-bad' };
  const percent = Math.max(0, Math.min(100, part * 100));
  return (
    <span
      role="img"
      aria-label={label}
      className="block h-1.5 min-h-1.5 min-w-24 flex-1 overflow-hidden rounded-full bg-sunken"
    >
      <span className={cx('block h-full rounded-full', looks[tone])} style={{ width: `${percent}%` }} />
    </span>
  );
}
