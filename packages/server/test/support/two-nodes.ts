import assert from 'node:assert/strict';
import { after, mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import { z } from 'zod';
import { type App, type AppOptions, makeApp } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { defineTool } from '../../src/features/tools/service.ts';
import { makeLog } from '../../src/lib/log.ts';
import { openaiProvider } from '../providers/openai-provider.ts';
import { adminKey, testConfig } from './test-config.ts';
import { makeDatabase, testPool } from './test-database.ts';

/** Waits until there is something to see. The patience is for machines that are busy: nothing that works takes it. */
export async function until<T>(what: string, look: () => Promise<T> | T): Promise<NonNullable<T>> {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(25)) {
    const found = await look();
    if (found) return found;
  }
  assert.fail(`${what}: it did not come to pass`);
}

/** Tools whose effects are counted, word by word; a word that is held up has had its effect and does not come back. */
function countedTools() {
  const effects = new Map<string, number>();
  const holds = new Map<string, Promise<void>>();
  const tool = (name: string, repeatable: boolean) =>
    defineTool({
      tool: name,
      description: 'Has an effect',
      input: z.object({ word: z.string() }),
      output: z.object({ done: z.string() }),
      repeatable,
      async run(_, { word }) {
        effects.set(word, (effects.get(word) ?? 0) + 1);
        const hold = holds.get(word);
        holds.delete(word);
        await hold;
        return { done: word };
      },
    });
  /** The next call for this word waits until the answer is called. */
  function hold(word: string): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    holds.set(word, promise);
    return resolve;
  }
  return { tools: [tool('send_once', false), tool('send_again', true)], effects, hold };
}

const none = { api_version: null, region: null, access_key_id: null, secret_access_key: null };

/**
 * Two nodes on one database. One is `asleep`: it takes requests and carries runs, but its clock stands still, so that it
 * neither renews its leases nor looks for expired ones, like a node that hangs. The second is `awake`, and its clock
 * runs eight times as fast, so that tests do not wait seconds for it.
 */
export async function twoNodes(changes: Partial<Config> = {}, options: AppOptions = {}) {
  const database = await makeDatabase();
  const provider = await openaiProvider();
  const counted = countedTools();
  const logged: string[] = [];
  const log = makeLog('debug', (line) => logged.push(line));
  const account = { name: 'p', provider: 'openai-compatible' as const, base_urls: [provider.url], api_key: 'k' };
  const config = testConfig('/nowhere', { providers: [{ ...none, ...account, models: ['one'] }], ...changes });
  const node = () => makeApp(config, database.connection, log, { tools: counted.tools, ...options });

  const every = globalThis.setInterval;
  const clock = mock.method(globalThis, 'setInterval', () => ({ unref() {}, refresh() {} }));
  const asleep = await node();
  clock.mock.mockImplementation(((work: () => void, ms: number) => every(work, ms / 8)) as typeof setInterval);
  const awake = await node();
  clock.mock.restore();
  const pool = testPool(database.connection);
  // Leases expire only when a test expires them, not when this machine is busy for ten seconds.
  await pool.query(`create function long_lease() returns trigger language plpgsql as $$ begin
    if new.leased_until > now() + interval '1 second' then new.leased_until = now() + interval '1 hour'; end if; return new; end $$`);
  for (const table of ['runs', 'workflow_runs'])
    await pool.query(`create trigger long_lease before insert or update on ${table} for each row
      execute function long_lease()`);
  after(async () => {
    await Promise.all([asleep.close(), awake.close()]);
    await provider.close();
    await pool.end();
    await database.drop();
  });
  const query = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows;

  async function call(app: App, method: 'GET' | 'POST' | 'PUT', url: string, payload?: object, key = adminKey) {
    const answer = await app.server.inject({ method, url, headers: { 'x-api-key': key }, ...(payload && { payload }) });
    assert.equal(answer.statusCode, 200, answer.payload);
    return answer.payload;
  }

  async function converse(key = adminKey): Promise<string> {
    const body = { name: 'test', settings: { model: ['p/one'], parallel_tool_calls: false } };
    return JSON.parse(await call(awake, 'POST', '/v1/conversations', body, key)).id;
  }

  return {
    ...counted,
    asleep,
    awake,
    provider,
    logged,
    pool,
    query,
    call,
    converse,

    /** Says something at a node; the run it began, when that is in the database, and the whole stream in the end. */
    async say(app: App, content = 'Hello') {
      const id = await converse();
      const stream = call(app, 'POST', `/v1/conversations/${id}/stream?format=ui`, { content });
      stream.catch(() => {});
      const [run] = await until('the run is there', async () => {
        const rows = await query('select id from runs where conversation_id = $1', [id]);
        return rows.length ? rows : undefined;
      });
      return { conversation_id: id, run_id: run.id as string, stream };
    },

    /** The time of the node that carries the run is up. */
    lapse: (run_id: string) =>
      query(`update runs set leased_until = now() - interval '1 second' where id = $1`, [run_id]),

    /** The run when it is over, its log, and the texts of the replies that its conversation has. */
    async ended(run_id: string) {
      const run = await until('the run is over', async () => {
        const [row] = await query('select * from runs where id = $1', [run_id]);
        return row.finished_at ? row : undefined;
      });
      const rows = await query('select type, data from run_events where run_id = $1 order by seq', [run_id]);
      const events = rows.map(({ type, data }) => ({ type, ...JSON.parse(data) }) as RunEvent);
      const messages = await query('select parts from messages where run_id = $1', [run_id]);
      const texts = messages.map(({ parts }) =>
        (JSON.parse(parts) as { type: string; content: string }[])
          .map(({ type, content }) => (type === 'text' ? content : ''))
          .join(''),
      );
      return { run, events, texts, types: events.map(({ type }) => type) };
    },
  };
}
