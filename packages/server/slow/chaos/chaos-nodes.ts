import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbedded } from '../../src/db/embedded/start-embedded.ts';
import { crashProvider } from '../../test/crash/crash-provider.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../../test/support/database-proxy.ts';
import { s3Server } from '../../test/support/s3/s3-server.ts';
import { type ServerProcess, startProcess } from '../../test/support/server-process.ts';
import { adminKey as key } from '../../test/support/test-config.ts';
import { failOver } from './standby.ts';

interface Node {
  server: ServerProcess;
  address: string;
  proxy: DatabaseProxy;
}

/**
 * Three nodes with one data directory and one S3 store, each with a network of its own to one PostgreSQL that can be
 * restarted and replaced by a standby.
 */
export async function makeChaosNodes(count = 3) {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-chaos-'));
  // A server that has an account of its own reaches the socket of another.
  chmodSync(dir, 0o711);
  let generation = 1;
  const postgresDir = () => join(dir, `postgres-${generation}`);
  let postgres = await startEmbedded({ dir: postgresDir() });
  const { user, password, database } = postgres.connection;
  const store = await s3Server();
  const provider = await crashProvider();
  const nodes: Node[] = [];
  let over = false;

  async function launch(proxy: DatabaseProxy): Promise<Omit<Node, 'proxy'>> {
    const secret = encodeURIComponent(password);
    const server = startProcess({
      dir: join(dir, 'data'),
      env: {
        ...{ ATRIUM_ADMIN_KEY: key, ATRIUM_SECRET_KEY: 'chaos-secret-key-0123456789abcdef', ATRIUM_TAGGER: 'words' },
        ...{ OPENAI_BASE_URL: provider.url, OPENAI_MODELS: 'slow', ATRIUM_WEB_ALLOW: '127.0.0.1', ATRIUM_DB_POOL: '8' },
        ...{ ATRIUM_BLOBS: `s3://${store.place.bucket}`, ATRIUM_S3_ENDPOINT: store.place.endpoint },
        ...{ ATRIUM_S3_REGION: store.place.region, ATRIUM_S3_ACCESS_KEY_ID: store.place.access_key_id },
        ATRIUM_S3_SECRET_ACCESS_KEY: store.place.secret_access_key,
        ...{
          ...{ ATRIUM_DRAIN_SECONDS: '1', ATRIUM_PROVIDER_ALLOW: '127.0.0.1' },
          DATABASE_URL: `postgres://${user}:${secret}@127.0.0.1:${proxy.port}/${database}`,
        },
      },
    });
    return { server, address: await server.ready };
  }
  for (let number = 0; number < count; number++) {
    const proxy = await startDatabaseProxy(postgres.connection);
    nodes.push({ proxy, ...(await launch(proxy)) });
  }
  const any = () => nodes[Math.floor(Math.random() * nodes.length)] as Node;

  /** Asks past all nodes and their networks; a restart of PostgreSQL is waited for. */
  async function query<T>(text: string, values: unknown[] = []): Promise<T[]> {
    for (let attempt = 0; ; attempt++) {
      const client = new pg.Client(postgres.connection);
      client.on('error', () => {});
      try {
        await client.connect();
        return (await client.query(text, values)).rows;
      } catch (error) {
        if (attempt >= 200) throw error;
        await sleep(100);
      } finally {
        await client.end().catch(() => {});
      }
    }
  }

  /** One request to some node; undefined when there is no whole answer. */
  async function ask(
    method: string,
    path: string,
    body?: FormData | object,
    more: Record<string, string> = {},
    signal = AbortSignal.timeout(20_000),
  ) {
    const form = body instanceof FormData;
    const headers = { 'x-api-key': key, ...(body && !form && { 'content-type': 'application/json' }), ...more };
    const sent = body && { body: form ? body : JSON.stringify(body) };
    try {
      const response = await fetch(`${any().address}${path}`, { method, headers, signal, ...sent });
      // biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
      return { status: response.status, json: (await response.json()) as any };
    } catch {
      return undefined;
    }
  }

  /** Asks until it is acknowledged, as a client does: always with the same name, so that it takes effect once. */
  async function insist(method: string, path: string, body?: FormData | object, more: Record<string, string> = {}) {
    const once = method === 'GET' ? {} : { 'idempotency-key': randomUUID() };
    for (let attempt = 0; attempt < 600; attempt++) {
      const answer = await ask(method, path, body, { ...once, ...more });
      if (answer?.status === 200) return answer.json;
      // The name is held by an attempt that was cut off, or no node can answer now.
      const later = !answer || answer.status >= 500 || answer.status === 409;
      assert.ok(later, `${method} ${path}: ${answer?.status} ${JSON.stringify(answer?.json)}`);
      await sleep(100);
    }
    throw new Error(`${method} ${path} is not answered`);
  }

  /** The bytes at a path, from the first node that has a whole answer. */
  async function download(path: string): Promise<Uint8Array> {
    for (let attempt = 0; attempt < 100; attempt++) {
      try {
        const headers = { 'x-api-key': key };
        const response = await fetch(`${any().address}${path}`, { headers, signal: AbortSignal.timeout(20_000) });
        const bytes = await response.bytes();
        if (response.status === 200) return bytes;
        assert.ok(response.status >= 500, `${path}: ${response.status}`);
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
      }
      await sleep(100);
    }
    throw new Error(`${path} is not answered`);
  }

  return {
    ...{ key, dir, nodes, store, query, ask, insist, download },
    address: async () => any().address,
    json: <T>(path: string, body?: object): Promise<T> => insist(body ? 'POST' : 'GET', path, body),

    /** Starts the program of a node again, which has ended. */
    async revive(node: Node): Promise<void> {
      if (!over) Object.assign(node, await launch(node.proxy));
    },
    async restartPostgres(): Promise<void> {
      await postgres.stop();
      await sleep(300);
      postgres = await startEmbedded({ dir: postgresDir() });
    },
    /** Lets a standby take the place of PostgreSQL, which is killed. */
    async failOver(): Promise<void> {
      const from = postgresDir();
      generation++;
      postgres = await failOver(postgres, from, postgresDir());
      for (const { proxy } of nodes) proxy.redirect(postgres.connection);
    },
    async close(): Promise<void> {
      over = true;
      for (const { server, proxy } of nodes) {
        if (server.child.exitCode === null && server.child.signalCode === null) await server.kill();
        await proxy.close();
      }
      provider.close();
      await postgres.stop();
      rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export type ChaosNodes = Awaited<ReturnType<typeof makeChaosNodes>>;
