import { sayChange } from '../../lib/numbers.ts';
import { insightTexts } from '../../text/insights.ts';
import { cx } from '../../ui/cx.ts';

const words = insightTexts.figures;

interface ChangeProps {
  value: number | null;
  before: number | null;
  days: number;
  /** Which way is good news; neither has no colour. */
  good?: 'up' | 'down';
}

/** How much a figure differs from the time before. */
export function Change({ value, before, days, good }: ChangeProps) {
  if (value === null || before === null || before === 0) return <span className="text-text-2">{words.noBefore}</span>;
  const text = sayChange(value, before);
  if (Math.round(((value - before) / before) * 100) === 0) return <span className="text-text-2">{words.same}</span>;
  const isGood = good === undefined ? undefined : value > before === (good === 'up');
  return (
    <span className="text-text-2">
      <span className={cx('num font-medium', isGood === true && 'text-ok', isGood === false && 'text-bad')}>
        {text}
      </span>{' '}
      {words.before(days)}
    </span>
  );
}
