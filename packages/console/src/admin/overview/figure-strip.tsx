import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { takeTurn } from '../../insights/figures/pace-requests.ts';
import { dayOf, startOfDay } from '../../lib/calendar.ts';
import { sayCost, sayDuration, sayNumber } from '../../lib/numbers.ts';
import { useTimeZone } from '../../lib/preferences.ts';
import { overviewTexts as words } from '../../text/admin/overview.ts';
import { cx } from '../../ui/cx.ts';
import { keyEnd } from '../keys/key-end.ts';
import { useMembers } from '../shared/queries.ts';
import { useBudgets } from './budget-card.tsx';
import { useEndingKeys } from './key-card.tsx';
import { useProviderHealth } from './provider-card.tsx';

/** Figures of this workspace since midnight and since the first of the month. */
function useFigures(enabled: boolean) {
  const client = useClient();
  const { id } = useWorkspace();
  const zone = useTimeZone();
  return useQuery({
    queryKey: [id, 'insights', 'admin-overview', zone],
    queryFn: async () => {
      const now = new Date();
      const time_end = now.toISOString();
      const time_start = new Date(startOfDay(dayOf(now, zone), zone)).toISOString();
      const month = new Date(startOfDay(`${dayOf(now, zone).slice(0, 7)}-01`, zone)).toISOString();
      const ask = <T,>(question: () => Promise<T>) => takeTurn().then(question);
      const metrics = 'runs,failures,time_to_first_token';
      const [today, spent, people] = await Promise.all([
        ask(() => client.analytics.overview({ metrics, time_start, time_end })),
        ask(() => client.analytics.get('cost', { time_start: month, time_end, interval: 'none' })),
        ask(() =>
          client.analytics.get('runs', { group_by: 'person', time_start, time_end, interval: 'none', page_size: 200 }),
        ),
      ]);
      const of = (name: string) => today.metrics.find(({ metric }) => metric === name);
      return {
        ...{ runs: of('runs')?.value ?? 0, failures: of('failures')?.value ?? 0, firstWord: of('time_to_first_token') },
        cost: spent.type === 'simple' ? (spent.value ?? 0) : 0,
        active:
          people.type === 'horizontal-barchart' ? people.value.filter(({ id: person }) => person !== null).length : 0,
      };
    },
    staleTime: 60_000,
    enabled,
  });
}

/** What needs an administrator: providers that fail, keys and budgets that end. */
function useNeeds() {
  const may = useMay();
  const health = useProviderHealth(may('settings_read'));
  const keys = useEndingKeys(may('workspace_admin', 'org:admin'));
  const budgets = useBudgets(may('workspace_admin'));
  const counts = {
    provider: health.data?.filter(({ state }) => state === 'failing').length ?? 0,
    key: keys.data?.filter(({ expires_at }) => ['soon', 'over'].includes(keyEnd(expires_at).state)).length ?? 0,
    budget: budgets.data?.filter(({ state }) => state !== 'ok').length ?? 0,
  };
  const kinds = (['provider', 'key', 'budget'] as const).filter((kind) => counts[kind] > 0);
  return {
    isLoading: health.isLoading || keys.isLoading || budgets.isLoading,
    count: counts.provider + counts.key + counts.budget,
    text: kinds.map((kind) => words.needs[kind](counts[kind])).join(', ') || words.nothingNeeded,
  };
}

const changeOf = (figure: { value: number | null; before: number | null } | undefined): string => {
  const { value = null, before = null } = figure ?? {};
  if (value === null) return words.noAnswers;
  if (before === null) return '';
  const difference = value - before;
  if (Math.abs(difference) < 50) return words.same;
  return difference > 0 ? words.slower(sayDuration(difference)) : words.faster(sayDuration(-difference));
};

/** Five figures in a row; two in a row on phones. */
export function FigureStrip() {
  const may = useMay();
  const { id } = useWorkspace();
  const seesFigures = may('insights_read');
  const seesMembers = may('workspace_admin', 'org:admin');
  const needs = useNeeds();
  const figures = useFigures(seesFigures).data;
  const members = useMembers(seesMembers ? undefined : '').data;
  const budget = useBudgets(may('workspace_admin')).data?.find(
    ({ scope, group_id, period, max_cost }) =>
      period === 'month' && max_cost !== null && (scope === 'workspace' ? group_id === id : scope === 'organization'),
  );
  const month = new Date().toLocaleDateString('en-GB', { month: 'long' });
  return (
    <section aria-label={words.figures} className="overflow-hidden rounded-3 border border-line bg-surface">
      <dl className="-m-px flex flex-wrap">
        <Figure
          label={words.needsYou}
          value={needs.isLoading ? undefined : sayNumber(needs.count)}
          isWarning={needs.count > 0}
        >
          {needs.text}
        </Figure>
        {seesFigures && (
          <>
            <Figure label={words.activeToday} value={figures && sayNumber(figures.active)}>
              {members && words.ofPeople(members.filter(({ active }) => active).length)}
            </Figure>
            <Figure label={words.runsToday} value={figures && sayNumber(figures.runs)}>
              {figures && words.failed(sayNumber(figures.failures))}
            </Figure>
            <Figure
              label={words.answersIn}
              value={figures && (figures.firstWord?.value ? sayDuration(figures.firstWord.value) : '–')}
            >
              {figures && changeOf(figures.firstWord)}
            </Figure>
            <Figure label={words.spent(month)} value={figures && sayCost(figures.cost)}>
              {budget?.max_cost ? words.ofBudget(sayCost(budget.max_cost)) : words.noBudget}
            </Figure>
          </>
        )}
      </dl>
    </section>
  );
}

interface FigureProps {
  label: string;
  /** Undefined while it loads: its room is kept. */
  value: string | undefined;
  isWarning?: boolean;
  children: ReactNode;
}

const Figure = ({ label, value, isWarning, children }: FigureProps) => (
  <div className="min-w-36 flex-1 border-t border-l border-line px-4 py-2.5">
    <dt className="text-caption text-text-3">{label}</dt>
    <dd className="num flex min-h-7 flex-wrap items-baseline gap-x-2">
      <span className="text-heading font-semibold">{value ?? <span aria-hidden>&nbsp;</span>}</span>
      {value !== undefined && (
        <span className={cx('text-dense', isWarning ? 'text-warn' : 'text-text-2')}>{children}</span>
      )}
    </dd>
  </div>
);
