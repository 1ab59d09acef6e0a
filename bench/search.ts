import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../packages/server/src/db/database.ts';
import { appendMessage } from '../packages/server/src/features/conversations/message-store.ts';
import { newId } from '../packages/server/src/lib/ids.ts';
import { makeLog } from '../packages/server/src/lib/log.ts';
import { databaseOf, startProcess } from '../packages/server/test/support/server-process.ts';
import { type Bench, type Figure, median } from './lib/figure.ts';

const key = 'bench-admin-key-0123456789';
const headers = { 'x-api-key': key, 'content-type': 'application/json' };
const messages = Number(process.env['BENCH_MESSAGES'] ?? 100_000);
const documents = Number(process.env['BENCH_DOCUMENTS'] ?? 10_000);
const requests = 300;
const inConversation = 20;
const parts = 20;
/** Words by rank: the first is in most texts, the last in very few. */
const mostWords = 5000;

async function send(url: string, body?: object) {
  const sent = body && { method: 'POST', body: JSON.stringify(body) };
  const response = await fetch(url, { headers, ...sent });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return JSON.parse(text) as { id: string; group_id: string };
}

/** Texts of 60 words whose frequency falls with their rank, as in natural language. */
async function fill(db: Database, workspace_id: string, kb_id: string) {
  // Its one connection keeps this.
  await db.pool.query('set statement_timeout = 0');
  const words = (salt: string) => `(select string_agg('word' || floor(${mostWords} ^ random())::int, ' ')
    from generate_series(1, 60) w where ${salt} is not null)`;
  await db.pool.query(
    `insert into conversations (workspace_id, id, name, status, message_count, etag_ms)
     select $1, gen_random_uuid(), 'Order ' || n, 'completed', ${inConversation}, 1
     from generate_series(1, ${Math.ceil(messages / inConversation)}) n`,
    [workspace_id],
  );
  // In parts, since a statement has to be answered within a minute.
  for (let part = 0; part < parts; part++)
    await db.pool.query(
      `insert into messages (workspace_id, conversation_id, seq, id, role, parts)
       select c.workspace_id, c.id, n, gen_random_uuid(), 'user',
         json_build_array(json_build_object('role', 'user', 'type', 'user', 'content', ${words('c.id')} || n))::text
       from conversations c, generate_series(1, ${inConversation}) n
       where c.workspace_id = $1 and c.name like 'Order %' and abs(hashtext(c.id::text)) % ${parts} = $2`,
      [workspace_id, part],
    );
  await db.pool.query(
    `insert into kb_documents (workspace_id, kb_id, id, name, prefix, status, source_type, live_run)
     select $1, $2, gen_random_uuid(), 'Page ' || n || ' word' || n % ${mostWords}, '/', 'trained', 'file', gen_random_uuid()
     from generate_series(1, ${documents}) n`,
    [workspace_id, kb_id],
  );
  await db.pool.query(
    `insert into kb_chunks (workspace_id, kb_id, document_id, run_id, id, position, content, start_at, end_at, headings)
     select d.workspace_id, d.kb_id, d.id, d.live_run, gen_random_uuid(), n, ${words('d.id')} || n, 0, 1, '{}'
     from kb_documents d, generate_series(1, 3) n where d.kb_id = $1`,
    [kb_id],
  );
  await db.pool.query('vacuum analyze');
}

/** The time of writing a message with the index of words and without it, turn about. */
async function measureWrites(db: Database, conversation: { id: string; group_id: string }): Promise<Figure> {
  const content = Array.from({ length: 60 }, (_, n) => `word${(n * 7919) % mostWords}`).join(' ');
  const parts = JSON.stringify([{ role: 'user', type: 'user', content }]);
  const write = async () => {
    const times: number[] = [];
    for (let turn = 0; turn < requests; turn++) {
      const begun = performance.now();
      await appendMessage(db, conversation.group_id, conversation.id, { id: newId(), role: 'user', parts });
      times.push(performance.now() - begun);
    }
    return median(times);
  };
  await write();
  const withIndex = await write();
  await db.pool.query('drop index messages_search; alter table messages drop column words');
  await write();
  const without = await write();
  const words = `${withIndex.toFixed(2)} ms, ${without.toFixed(2)} ms without the words`;
  return { what: 'Writing a message, median', value: words };
}

async function measure(address: string, db: Database): Promise<Figure[]> {
  const base = await send(`${address}/v1/knowledge-bases`, { name: 'Handbook' });
  const conversation = await send(`${address}/v1/conversations`, { name: 'Writes' });
  await fill(db, base.group_id, base.id);
  const figures: Figure[] = [];
  const kinds: Record<string, (turn: number) => string> = {
    'a rare word': (turn) => `word${2000 + ((turn * 7919) % 3000)}`,
    'two words': (turn) => `word${10 + (turn % 90)} word${100 + ((turn * 31) % 900)}`,
    'the beginning of many words': (turn) => `word${10 + (turn % 90)}`,
    'a word of nearly every text': () => 'word',
  };
  for (const [what, wordOf] of Object.entries(kinds)) {
    const times: number[] = [];
    for (let turn = -10; turn < requests; turn++) {
      const begun = performance.now();
      await send(`${address}/v1/search?q=${encodeURIComponent(wordOf(turn + 10))}`);
      if (turn >= 0) times.push(performance.now() - begun);
    }
    const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN;
    figures.push({
      ...{ what: `Search by ${what}`, value: `median ${median(times).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms` },
      aim: { text: 'p99 under 100 ms', met: p99 < 100 },
    });
  }
  return [...figures, await measureWrites(db, conversation)];
}

/** The search over everything, with many messages and documents in one workspace. */
export const search: Bench = {
  name: 'search',
  async run() {
    const dir = mkdtempSync(join(tmpdir(), 'atrium-bench-'));
    const server = startProcess({ dir, env: { ATRIUM_ADMIN_KEY: key } });
    try {
      const address = await server.ready;
      const db = openDatabase({ connection: databaseOf(dir), max: 1, log: makeLog('warn') });
      try {
        return await measure(address, db);
      } finally {
        await db.close();
      }
    } finally {
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    }
  },
};
