import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { databaseOf, gone, killAll, postgresIn, type ServerProcess, startProcess } from '../support/server-process.ts';
import { crashProvider } from './crash-provider.ts';

const key = 'crash-test-admin-key-0123456789';

/** Asks again and again, for a minute at most. */
export async function until(what: string, question: () => Promise<boolean> | boolean): Promise<void> {
  for (let attempt = 0; attempt < 1200; attempt++) {
    if (await question()) return;
    await sleep(50);
  }
  assert.fail(`${what}: it did not come to pass`);
}

/** Retries until the server answers; an idempotency key makes a POST take effect once. */
const jsonVia =
  (address: () => Promise<string>, key: string) =>
  async <T>(path: string, body?: object): Promise<T> => {
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
    const once = body && { 'idempotency-key': randomUUID() };
    const headers: Record<string, string> = { 'x-api-key': key, 'content-type': 'application/json', ...once };
    for (let attempt = 0; attempt < 100; attempt++) {
      const response = await fetch(`${await address()}${path}`, { headers, ...init }).catch(() => undefined);
      const text = await response?.text().catch(() => undefined);
      if (response?.status === 200 && text !== undefined) return JSON.parse(text) as T;
      // A claim of the key that was cut off is held for a while; then another may try.
      if (body && response?.status === 409) headers['idempotency-key'] = randomUUID();
      await sleep(100);
    }
    throw new Error(`${path} is not answered`);
  };

/** Runs the real server with a fake model. Tests can kill it, restart it and query its database. */
export async function makeCrashTestServer() {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-crash-'));
  const provider = await crashProvider();
  const env = {
    ATRIUM_ADMIN_KEY: key,
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODELS: 'slow',
    // Writes are held up on purpose, each on a connection.
    ATRIUM_DB_POOL: '60',
    ATRIUM_PROCESSES: process.env['CRASH_PROCESSES'] ?? '1',
  };
  const started: ServerProcess[] = [];
  let up = Promise.withResolvers<string>();
  let server: ServerProcess | undefined;

  async function query<T>(text: string, values: unknown[] = []): Promise<T[]> {
    const client = new pg.Client(databaseOf(dir));
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  return {
    key,
    query,
    /** Where the server is; while there is none, where it will be. */
    address: () => up.promise,

    async start(): Promise<void> {
      server = startProcess({ dir, env });
      started.push(server);
      up.resolve(await server.ready);
    },

    async kill(what: 'node' | 'everything'): Promise<void> {
      up = Promise.withResolvers();
      up.promise.catch(() => {});
      await (what === 'node' ? server?.kill() : server?.killEverything());
    },

    json: jsonVia(() => up.promise, key),

    async close(): Promise<void> {
      up.reject(new Error('The test is over'));
      for (const { child } of started) if (child.exitCode === null) child.kill('SIGKILL');
      killAll(postgresIn(dir));
      await gone(dir);
      provider.close();
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export type CrashTestServer = Awaited<ReturnType<typeof makeCrashTestServer>>;

/** The same server for a new workspace, whose statements share none with those of others. */
export async function inOwnWorkspace(rig: CrashTestServer): Promise<CrashTestServer> {
  const { id } = await rig.json<{ id: string }>('/v1/admin/groups', { name: 'crash' });
  const { value } = await rig.json<{ value: string }>(`/v1/admin/groups/${id}/api-keys`, { name: 'crash' });
  return { ...rig, key: value, json: jsonVia(rig.address, value) };
}
