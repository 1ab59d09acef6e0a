import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { crashProvider } from './crash-provider.ts';
import { databaseOf, gone, killAll, postgresIn, type ServerProcess, startProcess } from './server-process.ts';

const key = 'crash-test-admin-key-0123456789';

/** Asks again and again, for a minute at most. */
export async function until(what: string, question: () => Promise<boolean> | boolean): Promise<void> {
  for (let attempt = 0; attempt < 1200; attempt++) {
    if (await question()) return;
    await sleep(50);
  }
  assert.fail(`${what}: it did not come to pass`);
}

/** The real program beside a model of ours; it can be killed and started again, and its database looked into. */
export async function crashRig() {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-crash-'));
  const provider = await crashProvider();
  const env = {
    ATRIUM_ADMIN_KEY: key,
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODELS: 'slow',
    // Writes are held up on purpose, each on a connection.
    ATRIUM_DB_POOL: '70',
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
      await (what === 'node' ? server?.kill() : server?.killEverything());
    },

    async json<T>(path: string, body?: object): Promise<T> {
      const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const response = await fetch(`${await up.promise}${path}`, { headers, ...init });
      const text = await response.text();
      assert.equal(response.status, 200, text);
      return JSON.parse(text) as T;
    },

    async close(): Promise<void> {
      for (const { child } of started) if (child.exitCode === null) child.kill('SIGKILL');
      killAll(postgresIn(dir));
      await gone(dir);
      provider.close();
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export type CrashRig = Awaited<ReturnType<typeof crashRig>>;
