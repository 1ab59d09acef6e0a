import { addDays, dayOf } from '../lib/calendar.ts';
import { insightTexts as words } from '../text/insights.ts';
import { Select } from '../ui/select.tsx';
import { TextInput } from '../ui/text-field.tsx';
import { usualDays } from './figures/range.ts';
import type { Period } from './routes.tsx';

const options = Object.entries(words.periods).map(([value, label]) => ({ value, label }));

/** The time that is shown: so many days up to now, or from one day to another. */
export function PeriodChoice({ period, onPeriod }: { period: Period; onPeriod: (period: Period) => void }) {
  const { days = usualDays, from, to } = period;
  const isOwn = Boolean(from || to);
  const choose = (value: string) => {
    if (value !== 'own') return onPeriod({ days: Number(value), from: undefined, to: undefined });
    onPeriod({ days: undefined, from: addDays(dayOf(Date.now()), -days), to: dayOf(Date.now()) });
  };
  return (
    <>
      {isOwn &&
        (['from', 'to'] as const).map((side) => (
          <TextInput
            key={side}
            type="date"
            aria-label={words[side]}
            value={period[side] ?? ''}
            onChange={({ target }) => onPeriod({ [side]: target.value || undefined })}
            className="w-38!"
          />
        ))}
      <Select
        aria-label={words.period}
        className="w-38"
        value={isOwn ? 'own' : String(days)}
        options={options}
        onChange={choose}
      />
    </>
  );
}
