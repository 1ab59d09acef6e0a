import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openaiProvider } from '../../../../test/providers/openai-provider.ts';
import { type Answer, testApp } from '../../../../test/support/test-app.ts';
import { testConfig } from '../../../../test/support/test-config.ts';
import { testServer } from '../../../../test/support/test-database.ts';
import { makeApp } from '../../../app.ts';
import type { Config } from '../../../config.ts';
import { makeLog } from '../../../lib/log.ts';

export interface Sent {
  method?: string;
  body?: unknown;
  key?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Of another instance than the first. */
  at?: string;
}

/** A frame as a client reads it. */
export interface Heard {
  event?: string;
  id?: string;
  data: string;
}

export const withoutPings = (text: string) => text.replaceAll(': ping\n\n', '');

export const framesIn = (text: string): Heard[] =>
  withoutPings(text)
    .split('\n\n')
    .filter(Boolean)
    .map((frame) => {
      const fields = frame.split('\n').map((line) => line.match(/^(\w+): (.*)$/)?.slice(1) as [string, string]);
      return Object.fromEntries(fields) as unknown as Heard;
    });

/** Waits until it is so. The patience is for machines that are busy: nothing that works takes it. */
export async function until(what: string, isSo: () => unknown, most = 60_000): Promise<void> {
  for (const end = Date.now() + most; !(await isSo()); await sleep(10)) assert.ok(Date.now() < end, `not yet: ${what}`);
}

/** The program on a port, with a scripted provider behind it and a workspace to talk in. */
export async function openTestServer(changes: Partial<Config> = {}) {
  const provider = await openaiProvider();
  const account = {
    ...{ name: 'openai', provider: 'openai' as const, base_urls: [provider.url], api_key: 'k', models: ['blind'] },
    ...{ api_version: null, region: null, access_key_id: null, secret_access_key: null },
  };
  const config = { providers: [account], ...changes };
  // Before the app is closed, which waits for those that are still connected.
  after(() => testing.app.server.server.closeAllConnections());
  const testing = await testApp(config);
  const { query } = testing;
  after(() => provider.close());
  const address = await testing.app.server.listen({ host: '127.0.0.1', port: 0 });
  const place = await testing.workspace();

  const request = (path: string, { method = 'GET', body, key = place.key, headers, signal, at = address }: Sent = {}) =>
    fetch(`${at}${path}`, {
      method,
      signal: signal ?? null,
      headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });

  /** One request over a socket, answered with JSON. */
  async function call(method: string, path: string, body?: unknown, more: Sent = {}) {
    const response = await request(path, { method, body, ...more });
    const text = await response.text();
    return { status: response.status, json: JSON.parse(text) as Answer['json'], text };
  }

  /** A stream over a socket. Tests can wait for received text; `leave` closes the socket. */
  async function open(path: string, sent: Sent = {}) {
    const response = await request(path, sent);
    assert.equal(response.status, 200, response.status === 200 ? '' : await response.text());
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    let text = '';
    let over = false;
    const ended = (async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read())
        text += decoder.decode(next.value, { stream: true });
    })().finally(() => {
      over = true;
    });
    ended.catch(() => {});
    return {
      headers: response.headers,
      soFar: () => text,
      /** The whole text, without the signs of life. */
      whole: async () => ended.then(() => withoutPings(text)),
      heard: (what: string) => until(`the stream says ${what}`, () => over || text.includes(what)),
      /** Also when the server has cut it off already. */
      leave: () => reader.cancel().catch(() => {}),
    };
  }

  /** A conversation that asks the scripted model, with a name unless one is wanted from elsewhere. */
  async function talk(settings: object = {}, fields: object = { name: 'test' }): Promise<string> {
    const made = await call('POST', '/v1/conversations', { ...fields, settings: { model: ['blind'], ...settings } });
    assert.equal(made.status, 200, made.text);
    return `/v1/conversations/${made.json.id}`;
  }

  const post = (path: string, body: unknown = { content: 'Hello' }, more: Sent = {}) => call('POST', path, body, more);
  const stream = (path: string, content = 'Hello', format?: string, more: Sent = {}) =>
    open(`${path}/stream${format ? `?format=${format}` : ''}`, { method: 'POST', body: { content }, ...more });
  const idOf = (path: string) => path.split('/').at(-1) as string;
  const runsOf = (path: string) => query('select * from runs where conversation_id = $1 order by id', [idOf(path)]);
  const storedOf = (path: string) =>
    query('select * from messages where conversation_id = $1 order by seq', [idOf(path)]);

  /** Another instance on the same database, as a second node or after a restart. */
  async function another(more: Partial<Config> = {}) {
    const [{ database }] = await query('select current_database() as database');
    const dir = mkdtempSync(join(tmpdir(), 'atrium-doors-'));
    const logged: string[] = [];
    const log = makeLog('debug', (line) => logged.push(line));
    const app = await makeApp(testConfig(dir, { ...config, ...more }), { ...testServer(), database }, log);
    const at = await app.server.listen({ host: '127.0.0.1', port: 0 });
    let closed: Promise<void> | undefined;
    const close = () => {
      closed ??= app.close();
      return closed;
    };
    after(async () => {
      app.server.server.closeAllConnections();
      await close();
      rmSync(dir, { recursive: true, force: true });
    });
    return { app, at, close, logged };
  }

  return { ...testing, provider, place, address, request, call, post, open, stream, talk, runsOf, storedOf, another };
}

/** The texts that a conversation shows, oldest first. */
export const textsOf = (conversation: { messages: { message_parts: { type: string; content: string }[] }[] }) =>
  conversation.messages.map(({ message_parts }) => message_parts.map(({ content }) => content).join('|'));

const word = (n: number) => `w${String(n).padStart(2, '0')} `;

/** A reply of `deltas` words that pauses halfway until `release` is called. */
export function held(deltas = 12, chunk_delay_ms = 5) {
  const { promise, resolve } = Promise.withResolvers<void>();
  return {
    ...{ text: Array.from({ length: deltas }, (_, n) => word(n)).join(''), deltas, chunk_delay_ms },
    held: { before: word(deltas / 2), until: promise },
    release: resolve,
  };
}
