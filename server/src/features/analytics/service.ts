import type { Database } from '../../db/database.ts';
import { invalid } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Agents } from '../agents/service.ts';
import { makeRateLimit } from './limit.ts';
import type { AnalyticsAnswer, AnalyticsQuery, Metric } from './schema.ts';
import { type By, figures, type Line, namesOf, noAgent, steps, type Wanted } from './store.ts';

export type Analytics = ReturnType<typeof makeAnalytics>;

const hour = 3_600_000;
const units = { hour, day: 24 * hour };
const averages: readonly Metric[] = ['latency', 'time_to_first_token', 'csat'];
const timed: readonly Metric[] = ['latency', 'time_to_first_token'];
const mostBars = 10_000;
const exactUpTo = 7 * units.day;
const factsFor = 90 * units.day;

/** The step in which a share of all lies, as the milliseconds in its middle. */
function percentile(lines: readonly Line[], share: number): number | null {
  const steps = new Map<number, number>();
  for (const { step, n } of lines) if (step !== null) steps.set(step, (steps.get(step) ?? 0) + n);
  const count = [...steps.values()].reduce((sum, n) => sum + n, 0);
  let seen = 0;
  for (const [step, n] of [...steps].toSorted(([a], [b]) => a - b)) {
    seen += n;
    if (seen >= count * share) return Math.round(2 ** (step / 6));
  }
  return null;
}

/** One figure of many lines: a sum, an average or a percentile. */
function figureOf(metric: Metric, statistic: AnalyticsQuery['statistic'], lines: readonly Line[]): number | null {
  if (statistic !== 'average') return percentile(lines, Number(statistic.slice(1)) / 100);
  const total = lines.reduce((sum, line) => sum + line.total, 0);
  if (!averages.includes(metric)) return total;
  const n = lines.reduce((sum, line) => sum + line.n, 0);
  return n > 0 ? total / n : null;
}

const emptyFigure = (metric: Metric) => (averages.includes(metric) ? null : 0);

/** By version, model, user and key there are whole days only, but of the last time and of a few days. */
function widen(wanted: Wanted, unit: By['unit']): void {
  if (unit === 'hour')
    throw invalid(['query', 'interval'], 'Hours by version, model, user and key are there for a week at a time', unit);
  wanted.from = new Date(Math.floor(wanted.from.getTime() / units.day) * units.day);
  wanted.to = new Date(Math.ceil(wanted.to.getTime() / units.day) * units.day);
}

export function makeAnalytics({ db, agents }: { db: Database; agents: Agents }) {
  const limit = makeRateLimit(5);

  async function requireSound(scope: Scope, metric: Metric, query: AnalyticsQuery): Promise<void> {
    const { time_start, time_end, statistic, group_by, agent_id } = query;
    if (time_start >= time_end) throw invalid(['query', 'time_end'], 'time_end must be after time_start', time_end);
    const [known, sorted] = [timed.includes(metric), group_by === 'none' || group_by === 'agent'];
    if (statistic !== 'average' && !(known && sorted))
      throw invalid(
        ['query', 'statistic'],
        `There are percentiles of ${timed.join(' and ')} only, all together or by agent`,
        statistic,
      );
    if (agent_id !== undefined) await agents.get(scope, agent_id);
  }

  return async (scope: Scope, metric: Metric, query: AnalyticsQuery): Promise<AnalyticsAnswer> => {
    await requireSound(scope, metric, query);
    // What is refused has cost nothing.
    limit(scope.workspace_id);
    const { group_by, statistic, agent_id, page, page_size } = query;
    const [start, end] = [Date.parse(query.time_start), Date.parse(query.time_end)];
    const asked = query.interval ?? (group_by === 'none' ? 'auto' : 'none');
    const auto = end - start > 3 * units.day ? 'day' : 'hour';
    const unit = asked === 'none' ? null : asked === 'auto' ? auto : asked;
    const wanted: Wanted = {
      ...{ workspace_id: scope.workspace_id, metric, agent_id },
      dim: group_by === 'none' || group_by === 'agent' ? '' : group_by,
      from: new Date(Math.floor(start / hour) * hour),
      to: new Date(Math.ceil(end / hour) * hour),
    };
    const few = end - start <= exactUpTo && start > Date.now() - factsFor;
    const by: By = { unit, group: group_by, exact: wanted.dim !== '' && few };
    if (wanted.dim !== '' && !few) widen(wanted, unit);
    if (unit && (end - start) / units[unit] > mostBars)
      throw invalid(['query', 'interval'], `That would be more than ${mostBars} bars`, asked);
    const lines = await (statistic === 'average' ? figures : steps)(db, wanted, by);
    if (lines.length === 0) return { type: 'empty', value: null };
    const figure = (some: readonly Line[]) => figureOf(metric, statistic, some);

    if (group_by === 'none') {
      if (unit === null) return { type: 'simple', value: figure(lines) };
      const byTime = Map.groupBy(lines, ({ time }) => Date.parse(time as string));
      const first = Math.floor(wanted.from.getTime() / units[unit]) * units[unit];
      const count = Math.ceil((wanted.to.getTime() - first) / units[unit]);
      const value = Array.from({ length: count }, (_, at) => {
        const own = byTime.get(first + at * units[unit]);
        return {
          label: new Date(first + at * units[unit]).toISOString(),
          value: own ? figure(own) : emptyFigure(metric),
        };
      });
      return { type: 'barchart', value };
    }

    const groups = [...Map.groupBy(lines, ({ key, time }) => `${time ?? ''} ${key}`).values()].map((own) => {
      const [{ key, time }] = own as [Line];
      return { id: key === noAgent ? null : key, time, value: figure(own) };
    });
    const names = await namesOf(db, scope.workspace_id, group_by, [...new Set(groups.flatMap(({ id }) => id ?? []))]);
    const named = groups.map(({ id, ...rest }) => ({
      id,
      label: id === null ? 'none' : (names.get(id) ?? id),
      ...rest,
    }));
    const pageOf = <T>(all: readonly T[]) => all.slice((page - 1) * page_size, page * page_size);
    if (unit === null) {
      const sorted = named.toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0) || (a.label < b.label ? -1 : 1));
      return { type: 'horizontal-barchart', value: pageOf(sorted).map(({ time: _, ...one }) => one) };
    }
    const rows = pageOf(named).map(({ time, ...one }) => ({ time: time as string, ...one }));
    return { type: 'table', value: { columns: ['time', 'id', 'label', 'value'], rows } };
  };
}
