import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { childrenOf } from '../../packages/server/test/support/child-processes.ts';
import { postgresIn, startProcess } from '../../packages/server/test/support/server-process.ts';
import type { StreamTarget } from './conversation-load.ts';
import { type HttpClient, makeHttpClient } from './http-client.ts';

export const adminKey = 'bench-admin-key-0123456789';

export interface RunServer {
  pid: number;
  dir: string;
  client: HttpClient;
  create(settings: object): Promise<string>;
  say(id: string, content: string): Promise<IncomingMessage>;
  /** Conversations with these settings on top of the defaults. */
  target(settings: object): StreamTarget;
}

/** A server of its own for each part: what a heap keeps of one load must not count in the next. */
export async function withRunServer<T>(
  providerUrl: string,
  work: (server: RunServer) => Promise<T>,
  processes = 1,
): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
  const limits = {
    ...{ ATRIUM_MAX_RUNS: '1000', ATRIUM_MAX_RUNS_PER_WORKSPACE: '1000' },
    ATRIUM_PROCESSES: String(processes),
  };
  const env = { ATRIUM_ADMIN_KEY: adminKey, OPENAI_BASE_URL: providerUrl, OPENAI_MODELS: 'fast', ...limits };
  const server = startProcess({ dir, flags: process.env['BENCH_FLAGS']?.split(' ') ?? [], env });
  try {
    const client = makeHttpClient(await server.ready, { 'x-api-key': adminKey });
    const create = async (settings: object) => {
      const body = { name: 'bench', settings: { model: ['openai/fast'], ...settings } };
      return (await client.json<{ id: string }>('/v1/conversations', body)).id;
    };
    const say = (id: string, content: string) => client.send(`/v1/conversations/${id}/stream?format=ui`, { content });
    const target = (settings: object): StreamTarget => ({
      create: () => create(settings),
      say,
      token: '"text-delta"',
      end: '[DONE]',
      server: () => [server.pid, ...childrenOf(server.pid).values()],
      database: () => postgresIn(dir),
    });
    try {
      return await work({ pid: server.pid, dir, client, create, say, target });
    } finally {
      client.close();
    }
  } finally {
    await server.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The provider itself, to compare with. */
export function providerTarget(providerUrl: string, pid: number): { target: StreamTarget; close(): void } {
  const client = makeHttpClient(providerUrl);
  const target: StreamTarget = {
    create: async () => '',
    say: (_, content) =>
      client.send('/chat/completions', { model: 'fast', stream: true, messages: [{ role: 'user', content }] }),
    token: '"word ',
    end: '[DONE]',
    server: () => [pid],
    database: () => [],
  };
  return { target, close: client.close };
}
