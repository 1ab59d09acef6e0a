import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '../packages/server/src/db/database.ts';
import { sql } from '../packages/server/src/db/sql.ts';
import { aNode, anEdge } from '../packages/server/src/features/workflows/testing.ts';
import { makeLog } from '../packages/server/src/lib/log.ts';
import { databaseOf, startProcess } from '../packages/server/test/support/server-process.ts';
import { type Bench, type Figure, median } from './lib/figure.ts';
import { load } from './lib/load.ts';
import { cpuMsOf } from './lib/process-figures.ts';

const key = 'bench-admin-key-0123456789';
const headers = { 'x-api-key': key, 'content-type': 'application/json' };
const slices = Number(process.env['BENCH_SLICES'] ?? 5);
const seconds = 4;
const connections = 32;
const rounds = 15;

/** Input, text, output. */
const trivial = {
  nodes: [
    aNode('in', 'InputNode', { label: 'Author' }),
    aNode('text', 'ComposeTextNode', { template: 'Hello ((who))!' }),
    aNode('out', 'OutputNode', { label: 'Greeting' }),
  ],
  edges: ['in.output -> text.variables[who]', 'text.output -> out.input'].map(anEdge),
};

/** Builds a workflow with this many steps, in which each text node feeds the next. */
function chain(steps: number) {
  const texts = Array.from({ length: steps - 2 }, (_, index) =>
    aNode(`t${index}`, 'ComposeTextNode', { template: `${index}`.padStart(4, '0') }),
  );
  const edges = [
    'in.output -> t0.variables[v]',
    ...texts.slice(1).map((_, index) => `t${index}.output -> t${index + 1}.variables[v]`),
    `t${texts.length - 1}.output -> out.input`,
  ];
  return {
    nodes: [aNode('in', 'InputNode', { label: 'v' }), ...texts, aNode('out', 'OutputNode')],
    edges: edges.map(anEdge),
  };
}

interface Ended {
  completed: number;
  ms: number;
}

/** Every run that was started, once all are over; the time from the first beginning to the last end. */
async function whenOver(db: Database, workflow_id: string): Promise<Ended> {
  for (;;) {
    const row = await db.row<{ open: number; completed: number; ms: number }>(sql`
      select count(*) filter (where finished_at is null) as open, count(*) filter (where status = 'completed') as completed,
        extract(epoch from max(finished_at) - min(created_at)) * 1000 as ms
      from workflow_runs where workflow_id = ${workflow_id}`);
    if (row?.open === 0) return { completed: row.completed, ms: Number(row.ms) };
    await sleep(20);
  }
}

async function measure(dir: string): Promise<Figure[]> {
  const env = { ATRIUM_ADMIN_KEY: key, ATRIUM_DB_POOL: '16', ATRIUM_MAX_RUNS_PER_WORKSPACE: '64' };
  const server = startProcess({ dir, env });
  try {
    const address = await server.ready;
    const db = openDatabase({ connection: databaseOf(dir), max: 2, log: makeLog('warn') });
    const post = async (path: string, body: object) => {
      const response = await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      const text = await response.text();
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
      return JSON.parse(text);
    };
    const create = async (definition: object): Promise<string> => (await post('/v1/workflows', { definition })).id;

    const rates: number[] = [];
    const costs: number[] = [];
    for (let slice = 0; slice <= slices; slice++) {
      const id = await create(trivial);
      const cpu = cpuMsOf(server.pid);
      const body = () => JSON.stringify({ input: { Author: 'Ada' } });
      await load(
        { url: `${address}/v1/workflows/${id}/runs`, method: 'POST', headers, body },
        { connections, seconds },
      );
      const { completed, ms } = await whenOver(db, id);
      // The first is for the compiler.
      if (slice === 0) continue;
      rates.push((completed * 1000) / ms);
      costs.push(((cpuMsOf(server.pid) - cpu) * 1000) / completed);
    }

    const [short, middle, long] = [await create(chain(10)), await create(chain(100)), await create(chain(1000))];
    const timed = async (id: string, runs: number) => {
      const since = performance.now();
      for (let run = 0; run < runs; run++) {
        const answer = await post(`/v1/workflows/${id}/runs/sync`, { input: { v: 'x' } });
        if (answer.status !== 'completed') throw new Error(`A run ended as ${answer.status}`);
      }
      return ((performance.now() - since) * 1000) / runs;
    };
    const took = { short: [] as number[], middle: [] as number[], long: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      const [ofShort, ofMiddle, ofLong] = [await timed(short, 20), await timed(middle, 5), await timed(long, 1)];
      if (round < 3) continue;
      took.short.push(ofShort);
      took.middle.push(ofMiddle);
      took.long.push(ofLong);
    }
    const [ten, hundred, thousand] = [median(took.short), median(took.middle), median(took.long)];
    const ratio = thousand / 1000 / (ten / 10);
    // A short run is mostly its beginning and its end; this is what each step adds to it.
    const further = { early: (hundred - ten) / 90, late: (thousand - hundred) / 900 };
    const rate = median(rates);
    await db.close();
    return [
      {
        what: 'three-node workflow over HTTP, completed',
        value: `${Math.round(rate)} a second`,
        aim: { text: 'at least 250', met: rate >= 250 },
      },
      { what: 'our CPU for each', value: `${Math.round(median(costs))} µs` },
      { what: 'a step of a 10-step run, all told', value: `${Math.round(ten / 10)} µs` },
      { what: 'a step of a 1,000-step run, all told', value: `${Math.round(thousand / 1000)} µs` },
      { what: 'long to short', value: ratio.toFixed(2), aim: { text: 'at most 1.20', met: ratio <= 1.2 } },
      { what: 'each step from the 10th to the 100th', value: `${Math.round(further.early)} µs` },
      { what: 'each step from the 100th to the 1,000th', value: `${Math.round(further.late)} µs` },
    ];
  } finally {
    await server.stop();
  }
}

export const workflows: Bench = {
  name: 'workflows',
  async run() {
    const dir = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
    try {
      return await measure(dir);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
};
