import type { AnalyticsAnswer, AnalyticsQuery, Metric } from '@atrium/contract/analytics/schema.ts';
import { forbidden, invalid } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Database, Db } from '../../db/database.ts';
import type { Counters } from '../../lib/counters/ports.ts';
import { omit } from '../../lib/omit.ts';
import { required } from '../../lib/required.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Agents } from '../agents/service.ts';
import { makeRateLimit } from './rate-limit.ts';
import { type By, figures, namesOf, noAgent, type Times, times, type Wanted } from './store.ts';

/** Returns a metric of the workspace. Fails with 429 when the workspace asks too often. */
export type Analytics = (scope: Scope, metric: Metric, query: AnalyticsQuery) => Promise<AnalyticsAnswer>;

/** Checks a request against the rate limit of its workspace, and returns figures without checking it again. */
export interface Figures {
  get: Analytics;
  /** Throws for a request that is not sound, or when the workspace asks too often. */
  admit(scope: Scope, metric: Metric, query: AnalyticsQuery): Promise<void>;
  compute: Analytics;
}

/** Finds the names of people with an account. */
interface PeopleNames {
  names(db: Db, tenant_id: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

const hour = 3_600_000;
const units = { hour, day: 24 * hour };
const averages: readonly Metric[] = ['latency', 'time_to_first_token', 'csat'];
const timed: readonly Metric[] = ['latency', 'time_to_first_token'];
const max_bars = 10_000;
const exactUpTo = 7 * units.day;
const hoursUpTo = 3 * units.day;
const factsFor = 90 * units.day;

/** The duration in milliseconds below which this share of all lies, to the precision of a step. */
function percentile(lines: readonly Times[], share: number): number | null {
  const taken = new Map<number, number>();
  for (const { steps, counts } of lines)
    for (const [at, step] of steps.entries()) taken.set(step, (taken.get(step) ?? 0) + required(counts[at]));
  const count = [...taken.values()].reduce((sum, n) => sum + n, 0);
  let seen = 0;
  for (const [step, n] of [...taken].toSorted(([a], [b]) => a - b)) {
    seen += n;
    if (seen >= count * share) return Math.round(2 ** (step / 6));
  }
  return null;
}

/** The same for the same end user, and without their address. */
const pseudonymOf = (user_id: string) => `End user ${user_id.slice(0, 8)}`;

const emptyFigure = (metric: Metric) => (averages.includes(metric) ? null : 0);

/** Rounds to whole days: older or longer ranges by version, model, user, key and person have no hours. */
function widen(wanted: Wanted): void {
  wanted.from = new Date(Math.floor(wanted.from.getTime() / units.day) * units.day);
  wanted.to = new Date(Math.ceil(wanted.to.getTime() / units.day) * units.day);
}

type Window = { limit: number; offset: number };
type Figure = { time: string | null; key: string | null; value: number | null };

export function makeAnalytics(deps: {
  db: Database;
  agents: Agents;
  people: PeopleNames;
  /** The names of all workspaces of a tenant by their ids. */
  workspaceNames(tenant_id: string): Promise<ReadonlyMap<string, string>>;
  counters: Counters;
}): Figures {
  const { db, agents, people, workspaceNames } = deps;
  const limit = makeRateLimit(5, deps.counters);

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
    if (group_by === 'workspace' && !scope.tenant_admin)
      throw forbidden('Only an administrator of the organization compares workspaces');
    if (agent_id !== undefined) await agents.get(scope, agent_id);
  }

  async function sumsOf(wanted: Wanted, by: By, window: Window | undefined): Promise<Figure[]> {
    const average = averages.includes(wanted.metric);
    const lines = await figures(db, wanted, by, average, window);
    return lines.map(({ time, key, n, total }) => ({ time, key, value: average ? total / n : total }));
  }

  async function percentilesOf(wanted: Wanted, by: By, share: number, window: Window | undefined): Promise<Figure[]> {
    const lines = await times(db, wanted, by);
    const found = [...Map.groupBy(lines, ({ time, key }) => `${time ?? ''} ${key ?? ''}`)]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, own]) => ({ time: own[0]?.time ?? null, key: own[0]?.key ?? null, value: percentile(own, share) }));
    if (by.unit === null) found.sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
    return window ? found.slice(window.offset, window.offset + window.limit) : found;
  }

  async function admit(scope: Scope, metric: Metric, query: AnalyticsQuery): Promise<void> {
    await requireSound(scope, metric, query);
    // An invalid request does not count against the limit.
    await limit(scope.workspace_id);
  }

  const compute: Analytics = async (scope, metric, query) => {
    const { group_by, statistic, agent_id, page, page_size } = query;
    const [start, end] = [Date.parse(query.time_start), Date.parse(query.time_end)];
    const asked = query.interval ?? (group_by === 'none' ? 'auto' : 'none');
    const auto = end - start > 3 * units.day ? 'day' : 'hour';
    const unit = asked === 'none' ? null : asked === 'auto' ? auto : asked;
    const places = group_by === 'workspace' ? await workspaceNames(scope.tenant_id) : undefined;
    const wanted: Wanted = {
      ...{ workspace_id: scope.workspace_id, metric, agent_id, workspaces: places && [...places.keys()] },
      dim: group_by === 'none' || group_by === 'agent' || group_by === 'workspace' ? '' : group_by,
      from: new Date(Math.floor(start / hour) * hour),
      to: new Date(Math.ceil(end / hour) * hour),
    };
    const few = end - start <= exactUpTo && start > Date.now() - factsFor;
    const by: By = { unit, group: group_by };
    if (wanted.dim !== '' && unit === 'hour' && !(few && end - start <= hoursUpTo))
      throw invalid(
        ['query', 'interval'],
        'Hours by version, model, user, key and person are there for three days at a time',
        unit,
      );
    if (wanted.dim !== '' && !few) widen(wanted);
    if (unit && (end - start) / units[unit] > max_bars)
      throw invalid(['query', 'interval'], `That would be more than ${max_bars} bars`, asked);
    const window = { limit: page_size, offset: (page - 1) * page_size };
    const found =
      statistic === 'average'
        ? await sumsOf(wanted, by, group_by === 'none' ? undefined : window)
        : await percentilesOf(wanted, by, Number(statistic.slice(1)) / 100, group_by === 'none' ? undefined : window);
    if (found.length === 0 && page === 1) return { type: 'empty', value: null };

    if (group_by === 'none') {
      if (unit === null) return { type: 'simple', value: found[0]?.value ?? null };
      const byTime = new Map(found.map(({ time, value }) => [Date.parse(time as string), value]));
      const first = Math.floor(wanted.from.getTime() / units[unit]) * units[unit];
      const count = Math.ceil((wanted.to.getTime() - first) / units[unit]);
      const value = Array.from({ length: count }, (_, at) => {
        const time = first + at * units[unit];
        return { label: new Date(time).toISOString(), value: byTime.get(time) ?? emptyFigure(metric) };
      });
      return { type: 'barchart', value };
    }

    const groups = found.map(({ key, ...rest }) => ({ id: key === noAgent || key === '' ? null : key, ...rest }));
    const ids = [...new Set(groups.flatMap(({ id }) => id ?? []))];
    const isNameless = group_by === 'user' && !allows(scope.permissions, 'conversations_read');
    const names =
      places ??
      (group_by === 'person'
        ? await people.names(db, scope.tenant_id, ids)
        : await namesOf(db, scope.workspace_id, group_by, isNameless ? [] : ids));
    const named = groups.map(({ id, time, value }) => {
      const label = id === null ? 'none' : (names.get(id) ?? (isNameless ? pseudonymOf(id) : id));
      return { time, id, label, value };
    });
    if (unit === null) return { type: 'horizontal-barchart', value: named.map((entry) => omit(entry, ['time'])) };
    const rows = named.map(({ time, ...one }) => ({ time: time as string, ...one }));
    return { type: 'table', value: { columns: ['time', 'id', 'label', 'value'], rows } };
  };
  return {
    admit,
    compute,
    async get(scope, metric, query) {
      await admit(scope, metric, query);
      return compute(scope, metric, query);
    },
  };
}
