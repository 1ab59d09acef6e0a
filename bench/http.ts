import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseOf, startProcess } from '../server/test/server-process.ts';
import { type Bench, type Figure, median } from './lib/figure.ts';
import { type Load, load, type Request } from './lib/load.ts';
import { cpuMsOf } from './lib/process-figures.ts';

const key = 'bench-admin-key-0123456789';
const json = { 'content-type': 'application/json' };
const slices = Number(process.env.BENCH_SLICES ?? 6);
const connections = 16;
const seconds = 2;
const keysInList = 50;
const pool = 16;

async function answerOf<T>({ url, method, headers, body }: Request): Promise<T> {
  const response = await fetch(url, { method, headers, ...(body && { body: body() }) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

async function startBare(setup: Record<string, unknown>) {
  const program = new URL('./lib/bare-server.ts', import.meta.url).pathname;
  const env = { PATH: process.env.PATH, BARE_SETUP: JSON.stringify(setup) };
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const stop = async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { pid: child.pid as number, address: String(line).trim(), stop };
}

interface Target {
  pid: number;
  request: Request;
  loads: (Load & { cpu_us: number })[];
}

async function slice({ pid, request, loads }: Target): Promise<void> {
  const before = cpuMsOf(pid);
  const measured = await load(request, { connections, seconds });
  const cpu_us = ((cpuMsOf(pid) - before) * 1000) / (measured.per_second * seconds);
  loads.push({ ...measured, cpu_us });
}

/** Turn about, so that what else the machine does falls on both alike; the first turn of each warms up. */
async function compare(what: string, ours: Omit<Target, 'loads'>, bare: Omit<Target, 'loads'>): Promise<Figure[]> {
  const targets = [ours, bare].map((target): Target => ({ ...target, loads: [] }));
  for (let turn = 0; turn <= slices; turn++) for (const target of targets) await slice(target);
  const [first, second] = targets.map(({ loads }) => {
    const of = (field: keyof Target['loads'][number]) => median(loads.slice(1).map((load) => load[field]));
    return { per_second: of('per_second'), p50: of('p50_ms'), p99: of('p99_ms'), cpu: of('cpu_us') };
  }) as [Figures, Figures];
  const ratio = first.per_second / second.per_second;
  return [
    { what: `${what}: Atrium`, value: words(first) },
    { what: `${what}: bare Fastify`, value: words(second) },
    { what: `${what}: ratio`, value: ratio.toFixed(2), aim: { text: 'at least 0.70', met: ratio >= 0.7 } },
  ];
}

type Figures = { per_second: number; p50: number; p99: number; cpu: number };
const words = ({ per_second, p50, p99, cpu }: Figures) =>
  `${Math.round(per_second)} req/s, p50 ${p50} ms, p99 ${p99} ms, ${Math.round(cpu)} µs of node per request`;

async function measure(dir: string): Promise<Figure[]> {
  const flags = process.env.BENCH_FLAGS?.split(' ') ?? [];
  const server = startProcess({ dir, flags, env: { ATRIUM_ADMIN_KEY: key, ATRIUM_DB_POOL: String(pool) } });
  const headers = { 'x-api-key': key };
  try {
    const address = await server.ready;
    const me = await answerOf<{ tenant_id: string; group_id: string }>({
      url: `${address}/v1/admin/me`,
      method: 'GET',
      headers,
    });
    const keys = { url: `${address}/v1/admin/groups/${me.group_id}/api-keys`, method: 'GET', headers } as const;
    for (let made = 1; made < keysInList; made++)
      await answerOf({
        ...keys,
        method: 'POST',
        headers: { ...headers, ...json },
        body: () => `{"name":"key ${made}"}`,
      });
    const bare = await startBare({
      connection: databaseOf(dir),
      max: pool,
      tenant_id: me.tenant_id,
      workspace_id: me.group_id,
    });
    let roles = 0;
    const body = () => `{"name":"Role ${++roles}","description":"Of the bench","permissions":{"kbs_query":true}}`;
    const role = { method: 'POST', body } as const;
    try {
      return [
        ...(await compare(
          'POST one insert',
          {
            pid: server.pid,
            request: { ...role, url: `${address}/v1/admin/roles`, headers: { ...headers, ...json } },
          },
          { pid: bare.pid, request: { ...role, url: `${bare.address}/roles`, headers: json } },
        )),
        ...(await compare(
          `GET ${keysInList} rows`,
          { pid: server.pid, request: keys },
          { pid: bare.pid, request: { url: `${bare.address}/keys`, method: 'GET', headers: {} } },
        )),
      ];
    } finally {
      await bare.stop();
    }
  } finally {
    await server.stop();
  }
}

export const http: Bench = {
  name: 'http',
  async run() {
    const dir = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
    try {
      return await measure(dir);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
};
