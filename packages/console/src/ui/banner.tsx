import type { ReactNode } from 'react';
import { cx } from './cx.ts';

const tones = {
  info: 'bg-info-soft text-text',
  ok: 'bg-ok-soft text-text',
  warn: 'bg-warn-soft text-text',
  bad: 'bg-bad-soft text-text',
} as const;
const marks = { info: 'text-info', ok: 'text-ok', warn: 'text-warn', bad: 'text-bad' } as const;

/** A notice inside of a page, with what can be done about it. */
export function Banner(props: {
  tone?: keyof typeof tones;
  icon?: ReactNode;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}) {
  const { tone = 'info', icon, title, children, action } = props;
  return (
    <div role="status" className={cx('flex items-start gap-2.5 rounded-3 px-3.5 py-2.5 text-dense', tones[tone])}>
      {icon && <span className={cx('mt-px flex-none', marks[tone])}>{icon}</span>}
      <div className="min-w-0 flex-1">
        {title && <p className="font-medium">{title}</p>}
        {children && <div className="text-text-2">{children}</div>}
      </div>
      {action}
    </div>
  );
}
