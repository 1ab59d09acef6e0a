import type { Db } from '../../db/database.ts';
import { nothing, type Sql, sql } from '../../db/sql.ts';
import type { Grouping, Metric } from './schema.ts';

export interface Wanted {
  workspace_id: string;
  metric: Metric;
  /** Which way to look at the figures: '' all together. */
  dim: '' | 'version' | 'model' | 'user' | 'key';
  /** Whole hours. */
  from: Date;
  to: Date;
  agent_id: string | undefined;
}

const hour = 3_600_000;
const day = 24 * hour;

/** No agent at all, where a column must not be null. */
export const noAgent = '00000000-0000-0000-0000-000000000000';
const allAgents = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** What is counted, and of how many. Where both are the same, the figure is a sum; else an average. */
const columns: Record<Metric, { n: Sql; total: Sql }> = {
  conversations: same(sql`conversations`),
  messages: same(sql`messages`),
  runs: same(sql`runs`),
  failures: same(sql`failures`),
  latency: { n: sql`latency_n`, total: sql`latency` },
  time_to_first_token: { n: sql`ttft_n`, total: sql`ttft` },
  tokens: same(sql`input_tokens + output_tokens`),
  input_tokens: same(sql`input_tokens`),
  output_tokens: same(sql`output_tokens`),
  cost: same(sql`cost`),
  csat: { n: sql`csat_n`, total: sql`csat` },
  guardrail_violations: same(sql`violations`),
  tool_calls: same(sql`tool_calls`),
  knowledge_searches_without_answer: same(sql`searches_without_answer`),
};

function same(column: Sql) {
  return { n: column, total: column };
}

/** Where a fact keeps what figures are looked at by. */
const places: Record<Wanted['dim'], Sql> = {
  '': sql`''`,
  version: sql`version_id::text`,
  model: sql`model`,
  user: sql`user_id::text`,
  key: sql`key_id::text`,
};

/** The facts themselves as lines. Those that have nothing to say about the metric are not even looked at. */
function ofFacts({ workspace_id, metric, dim, agent_id, from, to }: Wanted, where: Sql): Sql {
  const { n, total } = columns[metric];
  return sql`
    select at, coalesce(agent_id, ${noAgent}::uuid) as agent, ${places[dim]} as value, ${n} as n, ${total} as total
    from insight_facts
    where workspace_id = ${workspace_id} ${agent_id === undefined ? nothing : sql`and agent_id = ${agent_id}`}
      and ${n} <> 0 and ${places[dim]} is not null and ${between(from, to)} ${where}`;
}

const belongs = ({ workspace_id, agent_id }: Wanted) =>
  sql`workspace_id = ${workspace_id} ${agent_id === undefined ? nothing : sql`and agent = ${agent_id}`}`;

const between = (from: Date, to: Date) => sql`at >= ${from} and at < ${to}`;

/** What has not been added up yet. Two bounds tell the planner that only the last few are meant. */
const fresh = sql`tx >= (select tx from insight_mark) and tx < (select '18446744073709551615'::xid8)`;

/** The whole days in a time, and the hours before and after them. */
function partsOf({ from, to }: Wanted) {
  const first = Math.ceil(from.getTime() / day) * day;
  const last = Math.max(first, Math.floor(to.getTime() / day) * day);
  const end = to.getTime();
  return {
    days: { from: new Date(first), to: new Date(last) },
    before: { from, to: new Date(Math.min(first, end)) },
    after: { from: new Date(Math.min(last, end)), to },
  };
}

/**
 * The figures of a time: whole days from where days are added up, the hours at its ends from where hours are, and what has
 * not been added up yet from the facts themselves. One statement, so that nothing is in two of them.
 */
function lines(wanted: Wanted, hourly: boolean): Sql {
  const { n, total } = columns[wanted.metric];
  const found = sql`select at, agent, value, ${n} as n, ${total} as total`;
  const where = sql`${belongs(wanted)} and dim = ${wanted.dim}`;
  const { days, before, after } = partsOf(wanted);
  const hours = (from: Date, to: Date) => sql`${found} from insight_hours where ${where} and ${between(from, to)}`;
  const rolled = hourly
    ? hours(wanted.from, wanted.to)
    : sql`
      ${found} from insight_days where ${where} and ${between(days.from, days.to)}
      union all ${hours(before.from, before.to)}
      union all ${hours(after.from, after.to)}`;
  return sql`${rolled}
    union all ${ofFacts(wanted, sql`and ${fresh}`)}`;
}

export interface Line {
  time: string | null;
  /** An agent, a version, a model …; null where it is not asked for. */
  key: string | null;
  /** How long it took, in steps; null for anything else. */
  step: number | null;
  n: number;
  total: number;
}

export interface By {
  unit: 'hour' | 'day' | null;
  group: Grouping;
  /** Look at each fact instead of at what was added up: by version, model, user and key only days are. */
  exact: boolean;
}

const timeOf = ({ unit }: By) => (unit === null ? sql`null::timestamptz` : sql`date_trunc(${unit}, at)`);
const keyOf = ({ group }: By) => (group === 'none' ? sql`null` : group === 'agent' ? sql`agent::text` : sql`value`);

/** Added up by time, by group, or both; without those of which there is nothing. */
export const figures = (db: Db, wanted: Wanted, by: By) =>
  db.rows<Line>(sql`
    select ${timeOf(by)} as time, ${keyOf(by)} as key, null::int as step, sum(n)::float8 as n, sum(total)::float8 as total
    from (${by.exact ? ofFacts(wanted, nothing) : lines(wanted, by.unit === 'hour')}) as line
    group by 1, 2 having sum(n) <> 0 order by 1, 2`);

/** How often each step was taken, by time, by agent, or both. */
export function steps(db: Db, wanted: Wanted, by: By) {
  const { days, before, after } = partsOf(wanted);
  // All together they are kept as an agent of their own: there would be many lines to add up.
  const whose =
    wanted.agent_id !== undefined
      ? sql`agent = ${wanted.agent_id}`
      : by.group === 'agent'
        ? sql`agent <> ${allAgents}`
        : sql`agent = ${allAgents}`;
  const where = sql`workspace_id = ${wanted.workspace_id} and ${whose} and metric = ${wanted.metric}`;
  const found = sql`select at, agent, '' as value, step, n from`;
  const hours = (from: Date, to: Date) =>
    sql`${found} insight_steps where ${where} and unit = 'hour' and ${between(from, to)}`;
  const rolled =
    by.unit === 'hour'
      ? hours(wanted.from, wanted.to)
      : sql`
        ${found} insight_steps where ${where} and unit = 'day' and ${between(days.from, days.to)}
        union all ${hours(before.from, before.to)}
        union all ${hours(after.from, after.to)}`;
  return db.rows<Line>(sql`
    select ${timeOf(by)} as time, ${keyOf(by)} as key, step, sum(n)::float8 as n, 0::float8 as total
    from (${rolled}
      union all ${found} insight_times where ${where} and ${between(wanted.from, wanted.to)} and ${fresh}) as line
    group by 1, 2, 3 order by 1, 2, 3`);
}

/** What people call what the figures are of. */
export async function namesOf(db: Db, workspace_id: string, group: Grouping, ids: readonly string[]) {
  const from =
    group === 'agent'
      ? sql`select id::text, name from agents where workspace_id = ${workspace_id} and id::text = any(${ids})`
      : group === 'version'
        ? sql`
          select v.id::text, a.name || ' v' || v.number as name from agent_versions v
          join agents a on a.workspace_id = v.workspace_id and a.id = v.agent_id
          where v.workspace_id = ${workspace_id} and v.id::text = any(${ids})`
        : group === 'key'
          ? sql`
            select id::text, name from api_keys where id::text = any(${ids})
              and tenant_id = (select tenant_id from workspaces where id = ${workspace_id})`
          : undefined;
  const rows = from ? await db.rows<{ id: string; name: string }>(from) : [];
  return new Map(rows.map(({ id, name }) => [id, name]));
}
