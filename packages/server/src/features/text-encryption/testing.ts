import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { openaiProvider } from '../../../test/providers/openai-provider.ts';
import { makeRotationSetup } from '../../../test/support/rotation-setup.ts';
import { adminKey } from '../../../test/support/test-config.ts';
import { until } from '../../../test/support/two-nodes.ts';
import type { App } from '../../app.ts';
import type { Config } from '../../config.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { makeLog } from '../../lib/log.ts';
import { hasBlobKeys } from '../files/encryption/blob-key-store.ts';
import { makeBlobKeys } from '../files/encryption/blob-keys.ts';
import { makeConvertTextJob } from './convert-text-job.ts';
import { makeSealingCodec } from './sealing-codec.ts';
import { forgetConverted } from './text-column-store.ts';
import { loadTextFields } from './text-fields.ts';

const log = makeLog('silent');

// biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
type Json = any;

export async function callNode(node: App, method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) {
  const answer = await node.server.inject({
    ...{ method, url, headers: { 'x-api-key': adminKey } },
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, text: answer.payload };
}

export async function askNode(
  node: App,
  ...request: Parameters<typeof callNode> extends [App, ...infer R] ? R : never
) {
  const { status, text } = await callNode(node, ...request);
  assert.equal(status, 200, `${request[0]} ${request[1]}: ${text}`);
  return JSON.parse(text) as Json;
}

/** Nodes on one database with a scripted model, and conversations full of words to look for. */
export async function makeTextSetup(changes: Partial<Config> = {}) {
  const provider = await openaiProvider();
  after(() => provider.close());
  const models_file = join(tmpdir(), `text-models-${process.pid}.json`);
  after(() => rmSync(models_file, { force: true }));
  const small = { provider: 'openai', model: 'blind', context_window: 4000, max_output_tokens: 500 };
  writeFileSync(models_file, JSON.stringify([small]));
  const account = {
    ...{ name: 'openai', provider: 'openai' as const, base_urls: [provider.url], api_key: 'k', models: ['blind'] },
    ...{ api_version: null, region: null, access_key_id: null, secret_access_key: null },
  };
  const secret_key = 'the-first-master-key-0123456789';
  const rig = await makeRotationSetup({ providers: [account], models_file, secret_key, ...changes });

  /** Has a conversation in which every kind of text is said once; each contains its own word. */
  async function converse(node: App) {
    const story = randomUUID().slice(0, 8);
    const word = (kind: string) => `${kind}${story}`;
    const tools = ['todos', 'human_in_the_loop'].map((type) => ({ type, enabled: true }));
    const settings = {
      ...{ model: ['blind'], top_k: 0, max_retries_per_model: 0, max_tokens: 400, pii_anonimization: [] },
      ...{ agent_title_mode: 'generate', base_tools: [{ type: 'filesystem', enabled: false }, ...tools] },
      tools: [{ type: 'todos', requires_approval: true }],
    };
    provider.answers = undefined;
    const { id } = await askNode(node, 'POST', '/v1/conversations', { settings });
    const url = `/v1/conversations/${id}`;
    const read = () => askNode(node, 'GET', url);
    const reach = (status: string) => until(`it is ${status}`, async () => (await read()).status === status);
    provider.reply(
      {
        reasoning: word('reasoning'),
        text: word('before'),
        tool_calls: [{ id: 't', name: 'todos_add_todo', input: { text: word('todo') } }],
      },
      { text: word('model') },
      { text: word('title') },
    );
    await askNode(node, 'POST', url, { content: word('user') });
    const { items } = await askNode(node, 'GET', `${url}/approvals`);
    await askNode(node, 'POST', `${url}/approvals/${items[0].id}`, { decision: 'approve', note: word('note') });
    await reach('completed');
    await until('it has its title', async () => (await read()).name === word('title'));
    const question = { id: 'q', name: 'human_in_the_loop_ask', input: { question: word('question') } };
    provider.reply({ tool_calls: [question] }, { text: word('second') });
    await askNode(node, 'POST', url, { content: word('again') });
    await askNode(node, 'POST', `${url}/human`, { content: word('answer') });
    await reach('completed');
    const { messages } = await read();
    const given = { rating: 'down', comment: word('comment') };
    await askNode(node, 'POST', `${url}/messages/${messages.at(-1).id}/feedback`, given);
    provider.answers = (body) =>
      JSON.stringify(body.messages).includes('Summarize the conversation')
        ? { text: word('summary') }
        : { text: word('noted') };
    await askNode(node, 'POST', url, { content: `${word('long')} `.repeat(650) });
    await askNode(node, 'POST', url, { content: `${word('longer')} `.repeat(150) });

    const kinds = ['reasoning', 'before', 'todo', 'model', 'title', 'user', 'note', 'question', 'second', 'again'];
    return {
      ...{ id, url, word, story },

      /** Reads the conversation by every way that clients have, and checks that all words are there. */
      async check(at: App): Promise<void> {
        const { items: runs } = await askNode(at, 'GET', `/v1/runs?conversation_id=${id}`);
        const pages = [url, `${url}/messages`, `${url}/approvals`, `${url}/feedback`, '/v1/approvals?status=all'];
        const streams = runs.flatMap((run: { id: string }) => [
          `/v1/runs/${run.id}/events`,
          `/v1/runs/${run.id}/trace`,
        ]);
        let seen = '';
        for (const page of [
          ...pages,
          `${url}/export?format=markdown`,
          ...streams,
          '/v1/conversations',
          '/v1/conversations?view=summary',
          `${url}/branches`,
          '/v1/runs',
          '/v1/runs?sort=-cost',
          '/v1/feedback',
        ]) {
          const { status, text } = await callNode(at, 'GET', page);
          assert.equal(status, 200, `${page}: ${text}`);
          assert.ok(!text.includes('atrium-sealed'), `${page}: ${text}`);
          seen += text;
        }
        const missing = [...kinds, 'answer', 'comment', 'long', 'noted'].filter((kind) => !seen.includes(word(kind)));
        assert.deepEqual(missing, []);
        // The next turn sends the model what was said before.
        await askNode(at, 'POST', url, { content: 'And?' });
        assert.ok(JSON.stringify(provider.last().body).includes(word('summary')));
      },
    };
  }

  /** Every column of every table that has a text in it. */
  async function columnsWith(text: string): Promise<string[]> {
    const tables = await rig.query(
      `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name, table_name as table,
         array_agg(column_name::text) as columns
       from information_schema.columns join pg_tables on schemaname = table_schema and tablename = table_name
       where table_schema not in ('pg_catalog', 'information_schema') group by 1, 2`,
    );
    const found = [];
    for (const { name, table, columns } of tables) {
      if (!(await rig.query(`select 1 from ${name} t where position($1 in t::text) > 0 limit 1`, [text])).length)
        continue;
      for (const column of columns) {
        const has = `select 1 from ${name} where position($1 in "${column}"::text) > 0 limit 1`;
        if ((await rig.query(has, [text])).length) found.push(`${table}.${column}`);
      }
    }
    return found.sort();
  }

  const db = openDatabase({ connection: rig.connection, max: 2, log });
  after(() => db.close());
  const [{ id: tenant_id }] = await rig.query('select id from tenants');
  const findTextFields = await loadTextFields(db);

  /** What the hourly job does; answers the lines that it logged. */
  async function convert(encrypt: boolean, { signal = new AbortController().signal, config = {} } = {}) {
    const logged: string[] = [];
    // As each start does; the nodes here write both forms all the while.
    await forgetConverted(db);
    const keyring = await rig.keyring(config);
    const keys = makeBlobKeys({ db, keyrings: { workspace: keyring, tenant: keyring }, tenant_id });
    const codec = makeSealingCodec({ keys, findTextFields, encrypt });
    const job = makeConvertTextJob({ db, codec, encrypt, wasEncrypted: () => hasBlobKeys(db) });
    await job.handler({ log: makeLog('info', (line) => logged.push(line)), signal }, {});
    return logged;
  }

  /** A database that stores text encrypted, for stores that are called without a server. */
  async function encryptingDatabase(): Promise<Database> {
    const encrypting = openDatabase({ connection: rig.connection, max: 2, log });
    after(() => encrypting.close());
    const keyring = await rig.keyring();
    const keys = makeBlobKeys({ db, keyrings: { workspace: keyring, tenant: keyring }, tenant_id });
    encrypting.useTextCodec(makeSealingCodec({ keys, findTextFields, encrypt: true }));
    return encrypting;
  }

  return { ...rig, provider, converse, columnsWith, convert, encryptingDatabase };
}
