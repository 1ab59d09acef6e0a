import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnalyticsQuery, metrics } from '@atrium/contract/analytics/schema.ts';
import pg from 'pg';
import { openDatabase } from '../packages/server/src/db/database.ts';
import { makeAnalytics } from '../packages/server/src/features/analytics/service.ts';
import { rollUp } from '../packages/server/src/features/insights/rollup-store.ts';
import { makeCounters } from '../packages/server/src/lib/counters/make-counters.ts';
import { makeLog } from '../packages/server/src/lib/log.ts';
import type { Scope } from '../packages/server/src/lib/scope.ts';
import { databaseOf, postgresIn, startProcess } from '../packages/server/test/support/server-process.ts';
import { type Bench, type Figure, median } from './lib/figure.ts';

const key = 'bench-admin-key-0123456789';
const headers = { 'x-api-key': key, 'content-type': 'application/json' };
/** Two for each run. */
const messages = Number(process.env['BENCH_MESSAGES'] ?? 1_000_000);
const perBatch = 100_000;
const turns = Number(process.env['BENCH_TURNS'] ?? 100);
const days = 90;
/** A data directory to keep: filling it takes minutes, and the next time it is there already. */
const kept = process.env['BENCH_DIR'];

const runFacts = `insert into run_facts (workspace_id, run_id, at, conversation_id, agent_id, version_id, model, actor_kind,
    actor_id, user_id, status, ms, ttft_ms, messages, begins, tool_calls, searches_without_answer, violations)
  select $1, gen_random_uuid(), now() - (n * ($4::float8 / $3)) * interval '1 day', gen_random_uuid(), md5('a' || n % 10)::uuid,
    md5('v' || n % 20)::uuid, 'provider/model-' || n % 3, 'api_key', md5('k' || n % 50)::uuid, md5('u' || n % 200)::uuid,
    case when n % 40 = 0 then 'failed' else 'completed' end, 200 + n % 5000, 50 + n % 900, 2, n % 4 = 0, n % 3,
    (n % 30 = 0)::int, (n % 100 = 0)::int
  from generate_series($2::int, least($2 + $5, $3) - 1) as n`;
const calls = `insert into model_calls (workspace_id, id, at, purpose, model, agent_id, version_id, run_id, actor_kind, actor_id,
    input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost, ms, ttft_ms, status)
  select $1, gen_random_uuid(), now() - (n * ($4::float8 / $3)) * interval '1 day', 'reply', 'provider/model-' || n % 3,
    md5('a' || n % 10)::uuid,
    md5('v' || n % 20)::uuid, gen_random_uuid(), 'api_key', md5('k' || n % 50)::uuid, 900 + n % 300, 100, n % 400, 0,
    0.001 * (n % 7), 100 + n % 5000, 40 + n % 800, 'ok'
  from generate_series($2::int, least($2 + $5, $3) - 1) as n`;
/** What the job makes of these facts, written down at once: adding a million up one after another takes minutes. */
const rolled = [
  `insert into insight_days
   select $1, way.dim, day, md5('a' || agent)::uuid, way.value, 70, 560, 280, 7, 270, 700000, 280, 140000, 280000, 56000, 0.8, 20, 80, 3, 280, 9
   from generate_series(date_trunc('day', now()) - interval '89 days', date_trunc('day', now()), '1 day') as day,
     generate_series(0, 9) as agent, lateral (
       select '' as dim, '' as value
       union all select 'version', md5('v' || v)::uuid::text from generate_series(1, 2) v
       union all select 'model', 'provider/model-' || m from generate_series(0, 2) m
       union all select 'key', md5('k' || k)::uuid::text from generate_series(1, 5) k
       union all select 'user', md5('u' || agent || '-' || u)::uuid::text from generate_series(1, 20) u) as way`,
  `insert into insight_weeks
   select workspace_id, dim, date_trunc('week', at), agent, value, sum(conversations), sum(messages), sum(runs),
     sum(failures), sum(latency_n), sum(latency), sum(ttft_n), sum(ttft), sum(input_tokens), sum(output_tokens), sum(cost),
     sum(csat_n), sum(csat), sum(violations), sum(tool_calls), sum(searches_without_answer)
   from insight_days where workspace_id = $1 group by 1, 2, 3, 4, 5`,
  `insert into insight_hours
   select $1, '', hour, md5('a' || agent)::uuid, '', 3, 23, 12, 0, 11, 29000, 12, 6000, 12000, 2300, 0.03, 1, 4, 0, 12, 0
   from generate_series(date_trunc('hour', now()) - interval '89 days', now(), '1 hour') as hour, generate_series(0, 9) as agent`,
  `insert into insight_steps
   select $1, metric, unit, at, case agent when 10 then 'ffffffff-ffff-ffff-ffff-ffffffffffff' else md5('a' || agent) end::uuid,
     array(select generate_series(30, 70)), array_fill(7, array[41])
   from unnest(array['day', 'week']) as unit, generate_series(date_trunc(unit, now()) - interval '12 weeks', now(), ('1 ' || unit)::interval) as at,
     generate_series(0, 10) as agent, unnest(array['latency', 'time_to_first_token']) as metric`,
];

async function fill(client: pg.Client, workspace_id: string, roll: () => Promise<void>): Promise<void> {
  const runs = messages / 2;
  for (let from = 0; from < runs; from += perBatch) {
    await client.query(runFacts, [workspace_id, from, runs, days, perBatch]);
    await client.query(calls, [workspace_id, from, runs, days, perBatch]);
  }
  await client.query('update insight_mark set tx = pg_current_xact_id()');
  for (const statement of rolled) await client.query(statement, [workspace_id]);
  // One turn of the job, and then some that it has not come to yet.
  for (const turn of [roll, async () => {}]) {
    await client.query(runFacts, [workspace_id, 0, 2000, 0.05, 2000]);
    await client.query(calls, [workspace_id, 0, 2000, 0.05, 2000]);
    await turn();
  }
  await client.query(
    'vacuum analyze run_facts, model_calls, insight_hours, insight_days, insight_weeks, insight_steps',
  );
}

const fillTopics = async (client: pg.Client, workspace_id: string, agent_id: string) => {
  await client.query(
    `insert into topics (workspace_id, id, agent_id, short, medium, long, named, size, weights)
     select $1, md5('t' || n)::uuid, $2, 'Topic ' || n, 'A topic ' || n, 'About ' || n, true, 100, '{}' from generate_series(1, 300) n`,
    [workspace_id, agent_id],
  );
  await client.query(
    `insert into topic_days (workspace_id, agent_id, day, topic_id, n)
     select $1, $2, current_date - day, md5('t' || n)::uuid, 1 + n % 20 from generate_series(1, 300) n, generate_series(0, 89) day`,
    [workspace_id, agent_id],
  );
  await client.query(
    `insert into topic_weeks
     select workspace_id, agent_id, date_trunc('week', day), topic_id, sum(n) from topic_days group by 1, 2, 3, 4`,
  );
  await client.query('analyze topics, topic_days, topic_weeks');
};

/** Processor time of the database's processes and of this one, in milliseconds: the same however busy the machine is. */
function usedBy(pids: readonly number[]): Map<number, number> {
  const used = new Map<number, number>();
  for (const pid of pids)
    try {
      used.set(pid, Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ', 1)[0]) / 1e6);
    } catch {
      // It has ended: PostgreSQL's housekeeping comes and goes.
    }
  return used;
}

interface Measured {
  p99: number;
  median: number;
  cpu: number;
}

async function p99Of(count: number, pids: () => number[], work: (turn: number) => Promise<unknown>): Promise<Measured> {
  const times: number[] = [];
  for (let turn = -6; turn < 0; turn++) await work(turn);
  const before = usedBy(pids());
  for (let turn = 0; turn < count; turn++) {
    const begun = performance.now();
    await work(turn);
    times.push(performance.now() - begun);
  }
  const after = usedBy([...before.keys()]);
  const cpu = [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0) / count;
  const sorted = times.toSorted((a, b) => a - b);
  return { p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN, median: median(sorted), cpu };
}

const figure = (what: string, { p99, median: middle, cpu }: Measured): Figure => ({
  what,
  value: `p99 ${p99.toFixed(1)} ms (median ${middle.toFixed(1)} ms, processor ${cpu.toFixed(1)} ms)`,
  aim: { text: 'under 50 ms', met: p99 < 50 },
});

async function measure(address: string, client: pg.Client, dir: string, server: number): Promise<Figure[]> {
  const pids = () => [server, process.pid, ...postgresIn(dir)];
  const db = openDatabase({ connection: databaseOf(dir), max: 4, log: makeLog('silent') });
  try {
    const ask = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`${address}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
      if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
      return (await answer.json()) as { id: string; group_id: string };
    };
    const filled = await client.query('select agent_id as id, workspace_id as group_id from topic_days limit 1');
    const { id, group_id: workspace_id } = filled.rows[0] ?? (await ask('POST', '/v1/agents', { name: 'Bench' }));
    let rolling = 0;
    if (filled.rowCount === 0) {
      await fill(client, workspace_id, async () => {
        const begun = performance.now();
        while (await rollUp(db, 600_000));
        rolling = performance.now() - begun;
      });
      await fillTopics(client, workspace_id, id);
    }
    const nothing = await p99Of(turns * 5, pids, () => client.query('select 1'));
    const found = [
      { what: 'A statement that does nothing, to compare with', value: `p99 ${nothing.p99.toFixed(1)} ms` },
      ...(rolling ? [{ what: 'Adding up what 2,000 runs left', value: `${(rolling / 1000).toFixed(1)} s` }] : []),
      figure(
        `Top topics of ${days} days, by HTTP`,
        await p99Of(turns * 5, pids, () => ask('GET', `/v1/agents/${id}/insights/top-topics?days=90&limit=50`)),
      ),
    ];
    const time_end = new Date().toISOString();
    const query = (more: Partial<AnalyticsQuery>, back = days) =>
      ({
        ...{ time_start: new Date(Date.now() - back * 86_400_000).toISOString(), time_end },
        ...{ group_by: 'none', statistic: 'average', page: 1, page_size: 50, ...more },
      }) as AnalyticsQuery;
    const scope = { workspace_id } as Scope;
    // A new one each time: the limit of five a second is not what is measured.
    const analytics = (metric: (typeof metrics)[number], wanted: AnalyticsQuery) =>
      makeAnalytics({
        db,
        agents: undefined as never,
        people: { names: async () => new Map() },
        workspaceNames: async () => new Map(),
        counters: makeCounters(),
      }).get(scope, metric, wanted);
    for (const metric of metrics)
      found.push(
        figure(`${metric}, ${days} days by day`, await p99Of(turns, pids, () => analytics(metric, query({})))),
      );
    for (const group_by of ['agent', 'version', 'model', 'user', 'key'] as const)
      found.push(
        figure(
          `runs by ${group_by}, ${days} days`,
          await p99Of(turns, pids, () => analytics('runs', query({ group_by }))),
        ),
      );
    for (const group_by of ['user', 'key'] as const)
      found.push(
        figure(
          `runs by ${group_by}, 7 days to the hour`,
          await p99Of(turns, pids, () => analytics('runs', query({ group_by }, 6.99))),
        ),
      );
    found.push(figure('tokens, 3 days by hour', await p99Of(turns, pids, () => analytics('tokens', query({}, 3)))));
    found.push(
      figure(
        'latency p95, 90 days by day',
        await p99Of(turns, pids, () => analytics('latency', query({ statistic: 'p95' }))),
      ),
    );
    found.push(
      figure(
        'latency p95 by agent, 90 days',
        await p99Of(turns, pids, () => analytics('latency', query({ statistic: 'p95', group_by: 'agent' }))),
      ),
    );
    found.push({ what: 'Load of the machine meanwhile', value: loadavg()[0]?.toFixed(1) ?? '' });
    return found;
  } finally {
    await db.close();
  }
}

export const insights: Bench = {
  name: 'insights',
  async run() {
    const dir = kept ?? mkdtempSync(join(tmpdir(), 'atrium-bench-'));
    mkdirSync(dir, { recursive: true });
    const server = startProcess({ dir, env: { ATRIUM_ADMIN_KEY: key, ATRIUM_ROLES: 'http' } });
    try {
      const address = await server.ready;
      const client = new pg.Client(databaseOf(dir));
      await client.connect();
      try {
        return await measure(address, client, dir, server.pid);
      } finally {
        await client.end();
      }
    } finally {
      await server.stop();
      if (!kept) rmSync(dir, { recursive: true, force: true });
    }
  },
};
