import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { valueUnder } from '@atrium/contract/keys-of.ts';
import Fastify from 'fastify';
import { type Database, openDatabase } from '../packages/server/src/db/database.ts';
import type { Connection } from '../packages/server/src/db/embedded/connection.ts';
import { groupCalls } from '../packages/server/src/db/group-calls.ts';
import {
  insertConversations,
  type UsualConversation,
} from '../packages/server/src/features/conversations/groups/insert-group-store.ts';
import { listConversations } from '../packages/server/src/features/conversations/list/list-store.ts';
import { appendMessage } from '../packages/server/src/features/conversations/message-store.ts';
import { newId } from '../packages/server/src/lib/ids.ts';
import { makeLog } from '../packages/server/src/lib/log.ts';
import { omit } from '../packages/server/src/lib/omit.ts';
import { databaseOf, startProcess } from '../packages/server/test/support/server-process.ts';
import { startBeside } from './lib/beside.ts';
import { compare } from './lib/compare.ts';
import { type Bench, type Figure, median } from './lib/figure.ts';

const key = 'bench-admin-key-0123456789';
const pool = 16;
const inList = 50;
const long = 50_000;
const log = makeLog('warn');
const apart = ['settings', 'messages', 'ui_messages'] as const;
const json = { 'x-api-key': key, 'content-type': 'application/json' };

interface Setup {
  connection: Connection;
  workspace_id: string;
  api_key_id: string;
  /** Answers without settings and messages: a new conversation, and one in the list. What is not in its row is the same in all. */
  samples: { new: object; listed: object };
  /** The settings of an answer, as text: those of a new conversation, and of each one in the list. */
  settings: { new: string; of: Record<string, string> };
}

/** The baseline: Fastify with the same pool, SQL and response bytes, without authentication and validation. */
async function serveBare({ connection, workspace_id, api_key_id, samples, settings }: Setup): Promise<void> {
  const db = openDatabase({ connection, max: pool, log });
  const insert = groupCalls(
    (row: UsualConversation) => row.workspace_id,
    (rows) => insertConversations(db.grouped, rows),
  );
  const nobody = {
    user_id: null,
    created_by: null,
    person_id: null,
    owner_id: null,
    assistant_id: null,
    assistant_version_id: null,
  };
  const usual = { workspace_id, api_key_id, ...nobody, preview: false, variables: null, restricted_settings: [] };
  const all = { include_empty: false, only_of: undefined };
  const app = Fastify();
  const head = (row: object, sample: object) => {
    const shown: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(sample)) shown[name] = name in row ? valueUnder(row, name) : value;
    return JSON.stringify(shown).slice(0, -1);
  };
  app.post('/conversations', async (request, reply) => {
    const { name, settings: sent } = request.body as { name: string; settings: object };
    const row = await insert({ ...usual, id: newId(), name, settings: JSON.stringify(sent) });
    const text = `${head(row, samples.new)},"settings":${settings.new},"messages":[],"ui_messages":[]}`;
    return reply.type('application/json; charset=utf-8').send(text);
  });
  app.get('/conversations', async (_, reply) => {
    const { rows, total = 0 } = await listConversations(db, workspace_id, all, { size: inList, offset: 0 });
    const items = rows
      .map((row) => `${head(row, samples.listed)},"settings":${settings.of[row.id]},"ui_messages":[]}`)
      .join(',');
    const pages = Math.ceil(total / inList);
    const text = `{"total":${total},"page":1,"size":${inList},"pages":${pages},"next":null,"items":[${items}]}`;
    return reply.type('application/json; charset=utf-8').send(text);
  });
  process.stdout.write(`${await app.listen({ host: '127.0.0.1', port: 0 })}\n`);
}

async function startBare(dir: string, setup: Setup) {
  // Half a megabyte of settings is too much for the environment of a process.
  const file = join(dir, 'bare-setup.json');
  writeFileSync(file, JSON.stringify(setup), { mode: 0o600 });
  const { line: address, ...rest } = await startBeside(new URL(import.meta.url).pathname, { BARE_SETUP: file });
  return { ...rest, address };
}

interface Conversation {
  id: string;
  group_id: string;
  api_key_id: string;
  settings: object;
}

async function textOf(url: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return text;
}

const message = () => ({
  id: newId(),
  role: 'user' as const,
  parts: JSON.stringify([
    { role: 'user', type: 'user', content: 'Where is my order 1042? It should have come on Monday.' },
  ]),
});

async function micros(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return (performance.now() - before) * 1000;
}

/** Appending to and reading of a conversation of 50,000 messages, turn about with an empty and a short one. */
async function longConversation(db: Database, start: () => Promise<Conversation>, address: string): Promise<Figure[]> {
  const whole = await start();
  const { id, group_id } = whole;
  await db.pool.query(
    `insert into messages (workspace_id, conversation_id, seq, id, role, parts)
     select $1, $2, n, gen_random_uuid(), 'user', $4 from generate_series(1, $3::int) n`,
    [group_id, id, long, message().parts],
  );
  await db.pool.query('update conversations set message_count = $2 where id = $1', [id, long]);
  await db.pool.query('vacuum analyze messages');
  const short = await start();
  for (let count = 0; count < 200; count++) await appendMessage(db, group_id, short.id, message());

  const appends: { empty: number[]; long: number[] } = { empty: [], long: [] };
  const gets: { short: number[]; long: number[] } = { short: [], long: [] };
  const read = (which: string) => textOf(`${address}/v1/conversations/${which}`, { headers: { 'x-api-key': key } });
  for (let turn = 0; turn < 300; turn++) {
    const empty = await start();
    const toEmpty = await micros(() => appendMessage(db, group_id, empty.id, message()));
    const toLong = await micros(() => appendMessage(db, group_id, id, message()));
    const [ofShort, ofLong] = [await micros(() => read(short.id)), await micros(() => read(id))];
    if (turn < 50) continue;
    appends.empty.push(toEmpty);
    appends.long.push(toLong);
    gets.short.push(ofShort);
    gets.long.push(ofLong);
  }
  const { messages } = JSON.parse(await read(id)) as { messages: unknown[] };
  const us = (values: number[]) => `${Math.round(median(values))} µs`;
  const ratio = median(appends.long) / median(appends.empty);
  return [
    { what: 'append to an empty conversation', value: us(appends.empty) },
    { what: `append to one of ${long} messages`, value: us(appends.long) },
    { what: 'append: long to empty', value: ratio.toFixed(2), aim: { text: 'at most 1.20', met: ratio <= 1.2 } },
    { what: 'GET a conversation of 200 messages', value: us(gets.short) },
    { what: `GET one of ${long} messages (${messages.length} come)`, value: us(gets.long) },
  ];
}

async function measure(dir: string): Promise<Figure[]> {
  const flags = process.env['BENCH_FLAGS']?.split(' ') ?? [];
  const server = startProcess({ dir, flags, env: { ATRIUM_ADMIN_KEY: key, ATRIUM_DB_POOL: String(pool) } });
  try {
    const address = await server.ready;
    const connection = databaseOf(dir);
    const db = openDatabase({ connection, max: 4, log });
    const url = `${address}/v1/conversations`;
    const start = async (body: object = {}): Promise<Conversation> =>
      JSON.parse(await textOf(url, { method: 'POST', headers: json, body: JSON.stringify(body) }));
    const body = { name: 'Return of order 1042', settings: { temperature: 0.2 } };
    const first = await start(body);
    const of: Record<string, string> = {};
    for (let made = 0; made < inList; made++) {
      const { id, settings } = await start({
        name: `Order ${made}`,
        settings: { persona: `You answer customer ${made}.` },
      });
      of[id] = JSON.stringify(settings);
      await appendMessage(db, first.group_id, id, message());
    }
    const { group_id: workspace_id, api_key_id } = first;
    const list = { url, method: 'GET', headers: { 'x-api-key': key } } as const;
    const [listed] = (JSON.parse(await textOf(url, list)) as { items: Conversation[] }).items;
    const withoutTexts = (of: object) => omit({ settings: 0, messages: 0, ui_messages: 0, ...of }, apart);
    const samples = { new: withoutTexts(first), listed: withoutTexts(listed ?? {}) };
    const settings = { new: JSON.stringify(first.settings), of };
    const bare = await startBare(dir, { connection, workspace_id, api_key_id, samples, settings });
    try {
      const [own, theirs] = [await textOf(url, list), await textOf(`${bare.address}/conversations`)];
      if (own !== theirs) throw new Error('The bare server does not send the same bytes');
      const post = { method: 'POST', headers: json, body: () => JSON.stringify(body) } as const;
      return [
        // First, while there are only these: a POST makes thousands more.
        ...(await compare(
          `GET ${inList} conversations`,
          { pid: server.pid, request: list },
          { pid: bare.pid, request: { ...list, url: `${bare.address}/conversations` } },
        )),
        ...(await compare(
          'POST a conversation',
          { pid: server.pid, request: { ...post, url } },
          { pid: bare.pid, request: { ...post, url: `${bare.address}/conversations` } },
        )),
        ...(await longConversation(db, start, address)),
      ];
    } finally {
      await bare.stop();
      await db.close();
    }
  } finally {
    await server.stop();
  }
}

export const conversations: Bench = {
  name: 'conversations',
  async run() {
    const dir = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
    try {
      return await measure(dir);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  },
};

// Started by itself, this file is the bare server.
if (import.meta.main) await serveBare(JSON.parse(readFileSync(process.env['BARE_SETUP'] ?? '', 'utf8')) as Setup);
