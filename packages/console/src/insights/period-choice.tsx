import { insightTexts as words } from '../text/insights.ts';
import { Select } from '../ui/select.tsx';
import { TextInput } from '../ui/text-field.tsx';
import { usualDays } from './figures/range.ts';
import type { Period } from './routes.tsx';

const options = Object.entries(words.periods).map(([value, label]) => ({ value, label }));
const dayOf = (time: number) => new Date(time).toLocaleDateString('sv-SE');

/** The time that is shown: so many days up to now, or from one day to another. */
export function PeriodChoice({ period, onPeriod }: { period: Period; onPeriod: (period: Period) => void }) {
  const { days = usualDays, from, to } = period;
  const isOwn = Boolean(from || to);
  const choose = (value: string) => {
    if (value !== 'own') return onPeriod({ days: Number(value), from: undefined, to: undefined });
    onPeriod({ days: undefined, from: dayOf(Date.now() - days * 86_400_000), to: dayOf(Date.now()) });
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
