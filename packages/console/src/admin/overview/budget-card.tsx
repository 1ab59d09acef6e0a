import type { ItemOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import { sayCost, sayNumber } from '../../lib/numbers.ts';
import { sayDay } from '../../lib/time.ts';
import { overviewTexts as words } from '../../text/admin/overview.ts';
import { cx } from '../../ui/cx.ts';
import { forecastOf } from './forecast.ts';
import { OverviewCard } from './overview-card.tsx';

type Budget = ItemOf<'budgets.list'>;

export function useBudgets(enabled: boolean) {
  const client = useClient();
  const { id } = useWorkspace();
  return useQuery({
    queryKey: [id, 'budgets', 'overview'],
    queryFn: async () => (await client.budgets.list({ size: 100 })).items as Budget[],
    enabled,
  });
}

/** Money where it is limited, else tokens. */
function limitOf({ max_cost, max_tokens, used }: Budget) {
  if (max_cost !== null) return { used: used.cost, most: max_cost, say: sayCost };
  return {
    used: used.tokens,
    most: max_tokens ?? 0,
    say: (tokens: number) => words.tokens(sayNumber(Math.round(tokens))),
  };
}
const partOf = (budget: Budget) => {
  const { used, most } = limitOf(budget);
  return most === 0 ? 1 : used / most;
};

/** The budgets that are nearest to their end, with how they would end. */
export function BudgetCard() {
  const query = useBudgets(true);
  const data = query.data?.toSorted((a, b) => partOf(b) - partOf(a));
  return (
    <OverviewCard
      title={words.usage}
      query={{ ...query, data }}
      none={words.noBudgets}
      to={{ section: 'usage', label: words.toBudgets }}
      beside={
        <span className="flex items-center gap-1.5 text-caption text-text-3 max-phone:hidden">
          <span aria-hidden className="hatched h-1.5 w-3.5 rounded-full text-c1" />
          {words.forecast}
        </span>
      }
      keyOf={({ id }) => id}
    >
      {(budget) => <Row budget={budget} />}
    </OverviewCard>
  );
}

function Row({ budget }: { budget: Budget }) {
  const { used, most, say } = limitOf(budget);
  const forecast = forecastOf({ used, most, start: budget.period_start, end: budget.period_end });
  const isOver = forecast.overAt !== undefined || used >= most;
  const end =
    used >= most
      ? words.usedUp
      : forecast.overAt
        ? words.overOn(sayDay(forecast.overAt))
        : words.endsNear(say(forecast.end));
  const tone = isOver ? 'text-c2' : 'text-c1';
  const percent = (part: number) => `${(part * 100).toFixed(1)}%`;
  return (
    <>
      <span className="w-28 flex-none truncate font-medium max-phone:w-20" title={budget.name}>
        {budget.name}
      </span>
      <span
        role="img"
        aria-label={words.usageOf(budget.name, say(used), say(most), end)}
        className={cx('meter flex h-1.5 min-w-10 flex-1 overflow-hidden rounded-full bg-sunken', tone)}
      >
        <span className="bg-current" style={{ width: percent(forecast.used) }} />
        <span className="hatched" style={{ width: percent(forecast.more) }} />
      </span>
      <span className="num w-40 flex-none text-right text-dense max-phone:w-28">
        <span className="font-medium">{say(used)}</span> <span className="text-text-3">{words.ofMost(say(most))}</span>
        <span className={cx('block text-caption', isOver ? 'text-warn' : 'text-text-3')}>{end}</span>
      </span>
    </>
  );
}
