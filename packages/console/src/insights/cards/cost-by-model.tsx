import { useQuery } from '@tanstack/react-query';
import { sayCost } from '../../lib/numbers.ts';
import { insightTexts } from '../../text/insights.ts';
import { groundOf } from '../../ui/chart/chart-colors.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { costByModelQuery, type Scope } from '../figures/figures.ts';
import { Card } from './card.tsx';

const words = insightTexts.costs;
const most = 6;

/** What each model cost; those that cost little stand together. */
export function CostByModel({ scope }: { scope: Scope }) {
  const query = useQuery(costByModelQuery(scope));
  const all = (query.data ?? []).filter(({ value }) => (value ?? 0) > 0);
  const sum = all.reduce((total, { value }) => total + (value ?? 0), 0);
  const rest = all.slice(most - 1);
  const shown =
    all.length > most
      ? [
          ...all.slice(0, most - 1),
          { id: 'others', label: words.others, value: rest.reduce((total, { value }) => total + (value ?? 0), 0) },
        ]
      : all;
  return (
    <Card title={words.title} className="min-h-60">
      {query.isPending && <Loading rows={4} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
      {query.data && shown.length === 0 && <p className="text-dense text-text-2">{words.none}</p>}
      <ul className="flex flex-col gap-3 text-dense">
        {shown.map(({ id, label, value }, index) => (
          <li key={id ?? ''} className="grid grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_70px_44px] items-center gap-2.5">
            <span className="truncate">{id === null ? words.withoutModel : label.replace(/^[^/]*\//, '')}</span>
            <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-sunken">
              <span
                className={cx('block h-full rounded-full', groundOf(index))}
                style={{ width: `${((value ?? 0) / sum) * 100}%` }}
              />
            </span>
            <span className="num text-right font-medium">{sayCost(value ?? 0)}</span>
            <span className="num text-right text-text-2">{Math.round(((value ?? 0) / sum) * 100)} %</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
