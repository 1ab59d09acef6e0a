import type { Database } from '../../db/database.ts';
import { identifier, join, nothing, type Sql, sql } from '../../db/sql.ts';

const figures = [
  ...['conversations', 'messages', 'runs', 'failures', 'latency_n', 'latency', 'ttft_n', 'ttft', 'input_tokens'],
  ...['output_tokens', 'cost', 'csat_n', 'csat', 'violations', 'tool_calls', 'searches_without_answer'],
].map((name) => identifier(name));
const names = join(figures, sql`, `);
const sums = join(
  figures.map((name) => sql`sum(${name})`),
  sql`, `,
);
const summed = join(
  figures.map((name) => sql`sum(${name}) as ${name}`),
  sql`, `,
);
const more = join(
  figures.map((name) => sql`${name} = known.${name} + excluded.${name}`),
  sql`, `,
);

const into = (table: Sql, unit: Sql, where: Sql) => sql`
  insert into ${table} as known (workspace_id, dim, at, agent, value, ${names})
  select workspace_id, dim, date_trunc(${unit}, at), agent, value, ${sums} from line ${where} group by 1, 2, 3, 4, 5
  on conflict (workspace_id, dim, at, agent, value) do update set ${more}`;

/** Adds facts to the hours, days and weeks; the lines are computed once. */
const addedUp = (from: string, to: string) => sql`
  with line as materialized (
    select workspace_id, dim, date_trunc('hour', at) as at, agent, value, ${summed}
    from insight_lines where tx >= ${from}::xid8 and tx < ${to}::xid8 group by 1, 2, 3, 4, 5),
  by_hour as (${into(sql`insight_hours`, sql`'hour'`, sql`where dim = ''`)}),
  by_week as (${into(sql`insight_weeks`, sql`'week'`, nothing)})
  ${into(sql`insight_days`, sql`'day'`, nothing)}`;

/** Adds the times to the percentiles of each agent and to those of all agents together. */
const timesAddedUp = (from: string, to: string) => sql`
  insert into insight_steps as known (workspace_id, metric, unit, at, agent, steps, counts)
  select workspace_id, metric, unit, at, agent, array_agg(step order by step), array_agg(n order by step)
  from (
    select workspace_id, metric, unit, date_trunc(unit, at) as at, whose.agent, step, count(*) as n
    from insight_times, unnest(array['hour', 'day', 'week']) as unit,
      unnest(array[insight_times.agent, 'ffffffff-ffff-ffff-ffff-ffffffffffff']) as whose (agent)
    where tx >= ${from}::xid8 and tx < ${to}::xid8 group by 1, 2, 3, 4, 5, 6) as taken
  group by 1, 2, 3, 4, 5
  on conflict (workspace_id, metric, unit, at, agent) do update set (steps, counts) = (
    select array_agg(step order by step), array_agg(n order by step) from (
      select step, sum(n)::bigint as n
      from unnest(known.steps || excluded.steps, known.counts || excluded.counts) as both_of (step, n) group by step) as merged)`;

/** Hours by model, user and the like are read from the facts, so these are kept for a while. */
const keepFor = sql`now() - interval '92 days'`;

/**
 * The oldest transaction that can still write a fact. Transactions of other databases on the same server can not; where
 * the server does not show to which database one belongs, it counts.
 */
const allOver = sql`(
  select coalesce(min(open_tx), pg_snapshot_xmax(pg_current_snapshot()))
  from pg_snapshot_xip(pg_current_snapshot()) as open_tx
  where not exists (
    select 1 from pg_stat_activity a where a.backend_xid = open_tx::xid and a.datname <> current_database()))`;

/** The most facts in one round: after a long outage of the worker there may be millions. */
const max_facts = 20_000;

/** The transaction before which to stop when there are more facts than one round takes. */
const cut = (table: Sql, from: string) => sql`
  (select tx from ${table} where tx >= ${from}::xid8 order by tx offset ${max_facts} limit 1)`;

/**
 * Adds the facts since the last round to the figures, each once: those of transactions older than any open one. Schedules
 * the analysis of the conversations among them, `after_ms` later. Returns whether there are more facts.
 */
export async function rollUp(db: Database, after_ms: number): Promise<boolean> {
  return db.transaction(undefined, async (tx) => {
    const mark = await tx.row<{ from: string; to: string; lost: boolean }>(sql`
      select m.tx::text as from, greatest(m.tx, ${allOver})::text as to,
        m.tx > pg_snapshot_xmax(pg_current_snapshot()) as lost
      from insight_mark m for update`);
    if (!mark) return false;
    // The database was copied into another server, which counts its transactions anew.
    if (mark.lost) {
      for (const table of [sql`model_calls`, sql`run_facts`, sql`csat_facts`, sql`said_facts`])
        await tx.run(sql`
          update ${table} set tx = case when tx < ${mark.from}::xid8 then '0'::xid8 else '1'::xid8 end`);
      await tx.run(sql`update insight_mark set tx = '1'`);
      return true;
    }
    const { from } = mark;
    const cuts = await tx.row<{ first: string | null }>(sql`
      select least(${cut(sql`model_calls`, from)}, ${cut(sql`run_facts`, from)})::text as first`);
    // The facts of one transaction are always added in one round, however many they are.
    const first = cuts?.first ? BigInt(cuts.first) : undefined;
    const most = first === BigInt(from) ? first + 1n : first;
    const left = most !== undefined && most < BigInt(mark.to);
    const to = left ? String(most) : mark.to;
    await tx.run(sql`
      insert into insight_due (workspace_id, conversation_id, agent_id, due_at)
      select f.workspace_id, f.conversation_id, f.agent_id, max(f.at) + make_interval(secs => ${after_ms / 1000})
      from run_facts f join conversations c on c.workspace_id = f.workspace_id and c.id = f.conversation_id
      where f.tx >= ${from}::xid8 and f.tx < ${to}::xid8 and f.agent_id is not null
      group by 1, 2, 3
      on conflict (workspace_id, conversation_id) do update set due_at = excluded.due_at, attempts = 0`);
    await tx.run(addedUp(from, to));
    await tx.run(timesAddedUp(from, to));
    await tx.run(sql`update insight_mark set tx = ${to}::xid8`);
    await tx.run(sql`delete from run_facts where tx < ${from}::xid8 and at < ${keepFor}`);
    await tx.run(sql`delete from csat_facts where tx < ${from}::xid8 and at < ${keepFor}`);
    await tx.run(sql`delete from said_facts where tx < ${from}::xid8 and at < ${keepFor}`);
    return left;
  });
}

/** How many minutes the oldest fact has waited, because an open transaction holds it back. */
export const minutesHeldBack = async (db: Database): Promise<number> =>
  (
    await db.row<{ minutes: number }>(sql`
      select extract(epoch from now() - at)::int / 60 as minutes from run_facts
      where tx >= (select tx from insight_mark) order by tx limit 1`)
  )?.minutes ?? 0;
