import { useQuery } from '@tanstack/react-query';
import { sayCost, sayNumber, sayPercent } from '../../lib/numbers.ts';
import { insightTexts } from '../../text/insights.ts';
import { groundOf } from '../../ui/chart/chart-colors.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { costByModelQuery, type Scope } from '../figures/figures.ts';
import { Card } from './card.tsx';

const words = insightTexts.costs;
const most = 6;

/** The model without its provider. */
const nameModel = (label: string) => label.replace(/^[^/]*\//, '');

/** What each model cost; those that cost little stand together. */
export function CostByModel({ scope }: { scope: Scope }) {
  const query = useQuery(costByModelQuery(scope));
  const { costs: all = [], unpriced = [] } = query.data ?? {};
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
      {query.data && shown.length + unpriced.length === 0 && <p className="text-dense text-text-2">{words.none}</p>}
      <ul className="flex flex-col gap-3 text-dense">
        {shown.map(({ id, label, value }, index) => (
          <li key={id ?? ''} className="grid grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_70px_44px] items-center gap-2.5">
            <span className="truncate">{id === null ? words.withoutModel : nameModel(label)}</span>
            <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-sunken">
              <span
                className={cx('block h-full rounded-full', groundOf(index))}
                style={{ width: `${((value ?? 0) / sum) * 100}%` }}
              />
            </span>
            <span className="num text-right font-medium">{sayCost(value ?? 0)}</span>
            <span className="num text-right text-text-2">{sayPercent((value ?? 0) / sum)}</span>
          </li>
        ))}
      </ul>
      {unpriced.length > 0 && (
        <section className={cx('text-dense', shown.length > 0 && 'mt-4 border-t border-line pt-3')}>
          <h3 className="font-medium">{words.unpriced}</h3>
          <p className="text-text-2">{words.unpricedHelp}</p>
          <ul className="mt-2 flex flex-col gap-2">
            {unpriced.slice(0, most).map(({ id, label, value }) => (
              <li key={id} className="flex items-center gap-2.5">
                <span className="min-w-0 flex-1 truncate">{nameModel(label)}</span>
                <span className="num text-text-2">{words.tokens(sayNumber(value ?? 0))}</span>
              </li>
            ))}
          </ul>
          {unpriced.length > most && (
            <p className="mt-2 text-text-2">{words.more(sayNumber(unpriced.length - most))}</p>
          )}
        </section>
      )}
    </Card>
  );
}
