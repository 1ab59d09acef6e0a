import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseOf, startProcess } from '../packages/server/test/support/server-process.ts';
import { startBeside } from './lib/beside.ts';
import { compare } from './lib/compare.ts';
import type { Bench, Figure } from './lib/figure.ts';
import type { Request } from './lib/load.ts';

const key = 'bench-admin-key-0123456789';
const json = { 'content-type': 'application/json' };
const keysInList = 50;
const pool = 16;

async function answerOf<T>({ url, method, headers, body }: Request): Promise<T> {
  const response = await fetch(url, { method, headers, ...(body && { body: body() }) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

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
    const setup = {
      connection: databaseOf(dir),
      max: pool,
      tenant_id: me.tenant_id,
      workspace_id: me.group_id,
    };
    const program = new URL('./lib/bare-server.ts', import.meta.url).pathname;
    const bare = await startBeside(program, { BARE_SETUP: JSON.stringify(setup) });
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
          { pid: bare.pid, request: { ...role, url: `${bare.line}/roles`, headers: json } },
        )),
        ...(await compare(
          `GET ${keysInList} rows`,
          { pid: server.pid, request: keys },
          { pid: bare.pid, request: { url: `${bare.line}/keys`, method: 'GET', headers: {} } },
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
