import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { crashProvider } from '../../test/crash/crash-provider.ts';
import {
  databaseOf,
  gone,
  killAll,
  postgresIn,
  type ServerProcess,
  startProcess,
} from '../../test/support/server-process.ts';

export const adminKey = 'processes-admin-key-0123456789';

/** Asks again and again, for half a minute at most. */
export async function until<T>(what: string, look: () => Promise<T> | T): Promise<NonNullable<T>> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const seen = await look();
    if (seen) return seen as NonNullable<T>;
    await sleep(50);
  }
  return assert.fail(`${what}: it did not come to pass`);
}

/** A data directory for servers of several processes, with a fake model; all of it is removed when the tests are over. */
export async function makeProcessDir() {
  const root = mkdtempSync(join(tmpdir(), 'atrium-processes-'));
  const dir = join(root, 'data');
  const provider = await crashProvider();
  const started: ServerProcess[] = [];
  const models = { OPENAI_BASE_URL: provider.url, OPENAI_MODELS: 'slow' };
  after(async () => {
    for (const { child } of started) if (child.exitCode === null) child.kill('SIGKILL');
    killAll(postgresIn(dir));
    await gone(dir);
    provider.close();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });

  return {
    root,
    dir,
    start(env: Record<string, string> = {}): ServerProcess {
      const settings = { ATRIUM_PROCESSES: '2', ATRIUM_ADMIN_KEY: adminKey, ...models, ...env };
      const server = startProcess({ dir, env: settings });
      started.push(server);
      return server;
    },
    async query<T>(text: string, values: unknown[] = []): Promise<T[]> {
      const client = new pg.Client(databaseOf(dir));
      client.on('error', () => {});
      await client.connect();
      try {
        return (await client.query(text, values)).rows;
      } finally {
        await client.end();
      }
    },
  };
}

/** A request over a connection of its own, so that any process may get it. */
export async function ask(address: string, path: string, init: RequestInit & { key?: string } = {}) {
  const { key = adminKey, ...rest } = init;
  const headers = { 'x-api-key': key, 'content-type': 'application/json', connection: 'close', ...rest.headers };
  const answer = await fetch(`${address}${path}`, { ...rest, headers, signal: AbortSignal.timeout(20_000) });
  const text = await answer.text();
  const json = (): { id: string; value: string; code: string } => JSON.parse(text);
  return { status: answer.status, text, json, headers: answer.headers };
}
