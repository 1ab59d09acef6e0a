import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { newId } from '../packages/server/src/lib/ids.ts';
import { databaseOf, startProcess } from '../packages/server/test/support/server-process.ts';
import { type Bench, type Figure, median } from './lib/figure.ts';

const key = 'bench-admin-key-0123456789';
const headers = { 'x-api-key': key, 'content-type': 'application/json' };
const batch = 10_000;
const turns = Number(process.env['BENCH_SLICES'] ?? 6);
const large = Number(process.env['BENCH_ROWS'] ?? 1_000_000);
const pages = 1000;
const kinds = 1000;

const columns = [
  { name: 'title', type: 'text' },
  { name: 'kind', type: 'text', indexed: true },
  { name: 'amount', type: 'number' },
  { name: 'paid', type: 'boolean' },
  { name: 'ordered_at', type: 'datetime' },
];

const rowsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    title: `Order number ${first + index}`,
    kind: `kind ${(first + index) % kinds}`,
    amount: (first + index) / 7,
    paid: index % 2 === 0,
    ordered_at: new Date(1.7e12 + first + index).toISOString(),
  }));

async function ask<T>(address: string, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${address}${path}`, {
    method,
    headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

/** What a program without us would do: one statement, the columns as arrays, ids of its own. */
const plainInsert = `insert into bench_plain (id, title, kind, amount, paid, ordered_at)
  select * from unnest($1::uuid[], $2::text[], $3::text[], $4::float8[], $5::boolean[], $6::timestamptz[])`;

async function plainBatch(client: pg.Client, first: number): Promise<void> {
  const rows = rowsFrom(first, batch);
  await client.query(plainInsert, [
    rows.map(() => newId()),
    rows.map((row) => row.title),
    rows.map((row) => row.kind),
    rows.map((row) => row.amount),
    rows.map((row) => row.paid),
    rows.map((row) => row.ordered_at),
  ]);
}

const timed = async (work: () => Promise<unknown>) => {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
};

async function measure(address: string, client: pg.Client): Promise<Figure[]> {
  await client.query(`create table bench_plain (id uuid primary key, title text, kind text, amount float8, paid boolean,
    ordered_at timestamptz(3))`);
  await client.query('create index on bench_plain (kind, id)');
  const { id } = await ask<{ id: string }>(address, 'POST', '/v1/tables', { name: 'Bench', columns });
  const path = `/v1/tables/${id}/rows`;
  const [ours, plain]: [number[], number[]] = [[], []];
  // One turn more than is counted: the first finds everything cold.
  for (let turn = 0; turn <= turns; turn++) {
    plain.push(await timed(() => plainBatch(client, turn * batch)));
    ours.push(await timed(() => ask(address, 'POST', path, rowsFrom(turn * batch, batch))));
  }
  for (let first = (turns + 1) * batch; first < large; first += batch)
    await ask(address, 'POST', path, rowsFrom(first, Math.min(batch, large - first)));

  const times: number[] = [];
  for (let page = 0; page < pages + 50; page++) {
    const filter = JSON.stringify([{ column: 'kind', op: 'eq', value: `kind ${(page * 37) % kinds}` }]);
    times.push(await timed(() => ask(address, 'GET', `${path}?size=50&filter=${encodeURIComponent(filter)}`)));
  }
  const sorted = times.slice(50).toSorted((one, other) => one - other);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
  const [own, bare] = [median(ours.slice(1)), median(plain.slice(1))];
  return [
    {
      what: `${batch} rows through the API against plain pg`,
      value: `${(own / bare).toFixed(1)}x (${own.toFixed(0)} ms and ${bare.toFixed(0)} ms)`,
      aim: { text: 'within 3x', met: own / bare <= 3 },
    },
    {
      what: `Filtered page of 50 out of ${large} rows, p99`,
      value: `${p99.toFixed(1)} ms (median ${median(sorted).toFixed(1)} ms)`,
      aim: { text: 'under 30 ms', met: p99 < 30 },
    },
  ];
}

export const tables: Bench = {
  name: 'tables',
  async run() {
    const dir = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
    const server = startProcess({ dir, env: { ATRIUM_ADMIN_KEY: key } });
    try {
      const address = await server.ready;
      const client = new pg.Client(databaseOf(dir));
      await client.connect();
      try {
        return await measure(address, client);
      } finally {
        await client.end();
      }
    } finally {
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    }
  },
};
