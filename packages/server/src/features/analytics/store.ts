import type { Grouping, Metric } from '@atrium/contract/analytics/schema.ts';
import type { Db } from '../../db/database.ts';
import { join, nothing, type Sql, sql } from '../../db/sql.ts';

export interface Wanted extends Span {
  workspace_id: string;
  metric: Metric;
  /** The dimension to group by; '' is all together, or by agent. */
  dim: '' | 'version' | 'model' | 'user' | 'key' | 'person';
  agent_id: string | undefined;
  /** To group by workspace: all of them, in place of `workspace_id`. */
  workspaces?: readonly string[] | undefined;
}

/** Whole hours. */
interface Span {
  from: Date;
  to: Date;
}

const hour = 3_600_000;
const day = 24 * hour;

/** Stands for no agent where a column must not be null. */
export const noAgent = '00000000-0000-0000-0000-000000000000';
const allAgents = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The columns of a metric. A sum has the same column twice; an average has a total and a count. */
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

/** The column of a fact for each grouping; '' for facts without a group. */
const groupColumns: Record<Wanted['dim'], Sql> = {
  '': sql`''`,
  version: sql`coalesce(version_id::text, '')`,
  model: sql`coalesce(model, '')`,
  user: sql`coalesce(user_id::text, '')`,
  key: sql`coalesce(key_id::text, '')`,
  person: sql`coalesce(person_id::text, '')`,
};

/** As floats: sums of bigint go through the slow numeric type. */
const countColumns = ({ metric }: Wanted) => {
  const { n, total } = columns[metric];
  return sql`(${n})::float8 as n, (${total})::float8 as total`;
};

const ofWorkspaces = ({ workspace_id, workspaces }: Wanted) =>
  workspaces ? sql`workspace_id = any(${[...workspaces]}::uuid[])` : sql`workspace_id = ${workspace_id}`;
const workspaceColumn = sql`workspace_id::text`;

const between = ({ from, to }: Span) => sql`at >= ${from} and at < ${to}`;

/**
 * Keeps the planner from parallel workers, which cost more than they save here: it uses none for expressions that only
 * the session itself can evaluate.
 */
const noParallelWorkers = sql`pg_backend_pid() is not null`;

/** The facts as lines; facts without the metric are skipped. */
function ofFacts(wanted: Wanted, span: Span, where: Sql): Sql {
  const { metric, dim, agent_id, workspaces } = wanted;
  const value = workspaces ? workspaceColumn : groupColumns[dim];
  return sql`
    select at, coalesce(agent_id, ${noAgent}::uuid) as agent, ${value} as value, ${countColumns(wanted)}
    from insight_facts
    where ${ofWorkspaces(wanted)} ${agent_id === undefined ? nothing : sql`and agent_id = ${agent_id}`}
      and ${columns[metric].n} <> 0 and ${between(span)} and ${noParallelWorkers} ${where}`;
}

const belongs = (wanted: Wanted) =>
  sql`${ofWorkspaces(wanted)} ${wanted.agent_id === undefined ? nothing : sql`and agent = ${wanted.agent_id}`}`;

/** Only facts that are not in the figures yet. With both bounds the planner expects few rows. */
const fresh = sql`and tx >= (select tx from insight_mark) and tx < (select '18446744073709551615'::xid8)`;

type Unit = 'week' | 'day' | 'hour';
type Piece = Span & { unit: Unit };

/** How long they are, and where the first of them began: the first week on a Monday. */
const lengths = { week: { length: 7 * day, first: 4 * day }, day: { length: day, first: 0 } };

/** Cuts a range into whole weeks, or days, and the rest before and after them into smaller units. */
function cut({ from, to }: Span, [unit, ...finer]: readonly (keyof typeof lengths)[]): Piece[] {
  if (from >= to) return [];
  if (unit === undefined) return [{ unit: 'hour', from, to }];
  const { length, first } = lengths[unit];
  const [begin, end] = [
    new Date(Math.ceil((from.getTime() - first) / length) * length + first),
    new Date(Math.floor((to.getTime() - first) / length) * length + first),
  ];
  if (begin >= end) return cut({ from, to }, finer);
  return [...cut({ from, to: begin }, finer), { unit, from: begin, to: end }, ...cut({ from: end, to }, finer)];
}

/** A range in as few pieces as possible, none longer than the unit asked for. */
const piecesOf = (span: Span, unit: By['unit']) =>
  cut(span, unit === 'hour' ? [] : unit === 'day' ? ['day'] : ['week', 'day']);

const unionAll = sql` union all `;
const tables: Record<Unit, Sql> = { week: sql`insight_weeks`, day: sql`insight_days`, hour: sql`insight_hours` };

/**
 * Reads a range from the figures that are added up, and the rest from the facts. By version, model, user, key and person there
 * are no figures of hours, so facts are read instead. It is one statement, so that no fact counts twice.
 */
function lines(wanted: Wanted, unit: By['unit']): Sql {
  const pieces = piecesOf(wanted, unit);
  const isRolled = (piece: Piece) => wanted.dim === '' || piece.unit !== 'hour';
  const rolled = pieces.filter(isRolled);
  const known = rolled.map(
    (piece) => sql`
      select at, agent, ${wanted.workspaces ? workspaceColumn : sql`value`} as value, ${countColumns(wanted)} from ${tables[piece.unit]}
      where ${belongs(wanted)} and dim = ${wanted.dim} and ${between(piece)}`,
  );
  const looked = pieces.filter((piece) => !isRolled(piece)).map((piece) => ofFacts(wanted, piece, nothing));
  const [first, last] = [rolled[0], rolled.at(-1)];
  const rest = first && last ? [ofFacts(wanted, { from: first.from, to: last.to }, fresh)] : [];
  return join([...known, ...looked, ...rest], unionAll);
}

export interface By {
  unit: 'hour' | 'day' | null;
  group: Grouping;
}

interface Place {
  time: string | null;
  /** An agent, a version, a model …; null where it is not asked for, '' for what belongs to none. */
  key: string | null;
}

export type Line = Place & { n: number; total: number };

const timeOf = ({ unit }: By) => (unit === null ? sql`null::timestamptz` : sql`date_trunc(${unit}, at)`);
const keyOf = ({ group }: By) => (group === 'none' ? sql`null` : group === 'agent' ? sql`agent::text` : sql`value`);

/** Sums by time, by group, or both, without empty ones. Groups alone are sorted by their figure, the largest first. */
export function figures(db: Db, wanted: Wanted, by: By, average: boolean, window?: { limit: number; offset: number }) {
  const order = by.unit === null ? sql`${average ? sql`sum(total) / sum(n)` : sql`sum(n)`} desc, 2` : sql`1, 2`;
  return db.rows<Line>(sql`
    select ${timeOf(by)} as time, ${keyOf(by)} as key, sum(n) as n, ${average ? sql`sum(total)` : sql`sum(n)`} as total
    from (${lines(wanted, by.unit)}) as line
    group by 1, 2 having sum(n) <> 0 order by ${order}
    ${window ? sql`limit ${window.limit} offset ${window.offset}` : nothing}`);
}

/** A histogram of durations: logarithmic steps and how often each occurred. */
export type Times = Place & { steps: number[]; counts: number[] };

/** Histograms by time, by agent, or both; a group may have several rows, to be added up. */
export function times(db: Db, wanted: Wanted, by: By) {
  // The times of all agents together are stored under an id of their own, which saves adding up many rows.
  const whose =
    wanted.agent_id !== undefined
      ? sql`agent = ${wanted.agent_id}`
      : by.group === 'agent'
        ? sql`agent <> ${allAgents}`
        : sql`agent = ${allAgents}`;
  const place = sql`${timeOf(by)} as time, ${keyOf(by)} as key`;
  const known = piecesOf(wanted, by.unit).map(
    (piece) => sql`
      select ${place}, to_json(steps) as steps, to_json(counts) as counts from insight_steps
      where workspace_id = ${wanted.workspace_id} and metric = ${wanted.metric} and unit = ${piece.unit} and ${whose}
        and ${between(piece)}`,
  );
  return db.rows<Times>(sql`
    ${join(known, unionAll)}
    union all
    select time, key, json_agg(step), json_agg(n) from (
      select ${place}, step, count(*) as n from insight_times
      where workspace_id = ${wanted.workspace_id} and metric = ${wanted.metric} and ${between(wanted)} ${fresh}
        ${wanted.agent_id === undefined ? nothing : sql`and agent = ${wanted.agent_id}`}
      group by 1, 2, 3) as rest
    group by 1, 2`);
}

/** The names of groups by their ids. */
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
          : group === 'user'
            ? sql`select id::text, name from end_users where workspace_id = ${workspace_id} and id::text = any(${ids})`
            : undefined;
  const rows = from ? await db.rows<{ id: string; name: string }>(from) : [];
  return new Map(rows.map(({ id, name }) => [id, name]));
}
