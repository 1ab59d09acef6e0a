import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { chatDialect } from '../../../test/providers/chat-dialect.ts';
import { type Dialect, scriptedServer, tokensOf } from '../../../test/providers/scripted-server.ts';
import { closing, scriptedApp } from '../../../test/support/scripted-app.ts';
import type { Database } from '../../db/database.ts';
import type { Sql } from '../../db/sql.ts';
import { makeLog } from '../../lib/log.ts';
import { makeLedger } from './ledger.ts';

/** What a provider with embeddings says to them: a vector for each text, and what it counted. */
const embeddingDialect: Dialect = {
  frames: () => [],
  whole: (reply, body) => ({
    object: 'list',
    data: body.input.map((_: string, index: number) => ({ object: 'embedding', index, embedding: [1, 0.5, 0.1] })),
    model: body.model,
    usage: { prompt_tokens: tokensOf(reply).input, total_tokens: tokensOf(reply).input },
  }),
  error: (_, message) => ({ error: { message } }),
  asked: () => '',
};

const price = { input: 2, cached_input: 1, output: 10 };
const models_file = join(tmpdir(), `priced-models-${process.pid}.json`);
writeFileSync(
  models_file,
  JSON.stringify(['one', 'vectors'].map((model) => ({ provider: 'openai-compatible', model, price }))),
);
after(() => rmSync(models_file, { force: true }));
const app = await scriptedApp({ models_file, roles: ['http', 'worker'], db_pool: 10 });
const server = await closing(scriptedServer({ '/chat/completions': chatDialect, '/embeddings': embeddingDialect }));
const name = await app.account([server.url]);

/** What the provider has reported, all in all. */
const reported = { input: 0, output: 0, calls: 0 };
let counter = 0;
server.answers = (body) => {
  counter += 1;
  const usage = { input: 100 + counter, cached: 10, output: body['input'] ? 0 : counter };
  reported.calls += 1;
  reported.input += usage.input;
  reported.output += usage.output;
  const told = JSON.stringify(body);
  if (body['input']) return { usage };
  if (body['response_format']) return { text: '{"flagged": false, "severity": "none", "reason": "-"}', usage };
  if (told.includes('title')) return { text: 'A name', usage };
  const searched = body['messages'].some(({ role }: { role: string }) => role === 'tool');
  const names: string[] = (body['tools'] ?? []).map((tool: { function: { name: string } }) => tool.function.name);
  const tool = names.find((one) => one.startsWith('kb_'));
  if (tool && !searched) return { tool_calls: [{ name: tool, input: { query: 'tea' } }], usage };
  return { text: 'Tea is a drink', usage };
};

const rowsOf = (where: string, value: string) => app.query(`select * from model_calls where ${where} = $1`, [value]);
async function until<T>(ask: () => Promise<T>, good: (value: T) => boolean): Promise<T> {
  for (let look = 0; look < 2400; look++) {
    const value = await ask();
    if (good(value)) return value;
    await sleep(25);
  }
  return assert.fail('it did not come to pass');
}

test('tokens and cost of a run are what the provider reported over all its calls, of every purpose', async () => {
  const settings_ = { embedding_model: [`${name}/vectors`], auto_summary: false, retrieval_method: 'semantic' };
  const { json: base } = await app.call('POST', '/v1/knowledge-bases', { name: 'Tea', settings_ });
  const form = {
    headers: { 'content-type': 'multipart/form-data; boundary=B' },
    body: '--B\r\ncontent-disposition: form-data; name="files"; filename="tea.txt"\r\n\r\nTea is a drink.\r\n--B--\r\n',
  };
  await app.call('POST', `/v1/knowledge-bases/${base.id}/upload_train`, form.body, { headers: form.headers });
  await until(
    async () => (await app.call('GET', `/v1/knowledge-bases/${base.id}`)).json,
    ({ status }) => status === 'ready',
  );
  const trained = await until(
    () => rowsOf('purpose', 'embedding'),
    (rows) => rows.length > 0,
  );
  assert.deepEqual([trained[0].run_id, trained[0].actor_kind, trained[0].status], [null, 'system', 'ok']);
  assert.ok(trained[0].input_tokens > 0);

  Object.assign(reported, { input: 0, output: 0, calls: 0 });
  const settings = {
    ...{ model: [`${name}/one`], top_k: 0, knowledge_bases: [base.id] },
    ...{ toxicity: 'High', guardrails_scan_output: true, agent_title_mode: 'generate' },
  };
  const { json: agent } = await app.call('POST', '/v1/agents', { name: 'Tea agent', definition: settings });
  const { json } = await app.call('POST', `/v1/conversations?assistant_id=${agent.id}`, {});
  const seen = await app.say(json.id, 'What is tea?');
  assert.equal(seen.status, 'completed', JSON.stringify(seen.error));
  await until(
    async () => (await app.call('GET', `/v1/conversations/${json.id}`)).json.name,
    (title) => title === 'A name',
  );

  const rows = await until(
    () => rowsOf('run_id', seen.metadata.run_id),
    (all) => all.length >= reported.calls,
  );
  const sum = (key: string) => rows.reduce((all, row) => all + Number(row[key]), 0);
  assert.deepEqual(
    [rows.length, sum('input_tokens'), sum('output_tokens')],
    [reported.calls, reported.input, reported.output],
  );
  const cost = rows.reduce(
    (all, row) =>
      all +
      ((Number(row.input_tokens) - Number(row.cached_tokens)) * 2 +
        Number(row.cached_tokens) +
        Number(row.output_tokens) * 10) /
        1e6,
    0,
  );
  assert.ok(Math.abs(sum('cost') - cost) < 1e-12);
  const purposes = new Set(rows.map(({ purpose }) => purpose));
  assert.deepEqual([...purposes].toSorted(), ['embedding', 'guardrail', 'reply', 'title']);
  for (const row of rows) {
    assert.deepEqual([row.agent_id, row.conversation_id, row.actor_kind], [agent.id, json.id, 'api_key']);
    assert.equal(row.version_id, seen.conversation.assistant_version_id);
    assert.equal(row.estimated, false);
    if (row.purpose === 'reply') assert.ok(row.ttft_ms >= 0 && row.ms >= row.ttft_ms);
  }
});

test('calls that failed, were tried again and were stopped are each a row', async () => {
  server.answers = undefined;
  server.reply({ status: 500 }, { text: 'Yes' });
  const settings = { model: [`${name}/one`], top_k: 0, max_retries_per_model: 1 };
  const { metadata } = await app.ask(settings);
  // The calls of a run that takes seconds are stored separately, perhaps shortly after its end.
  const rowsOfRun = (run_id: string, least: number) =>
    until(
      () => rowsOf('run_id', run_id),
      (rows) => rows.length >= least,
    );
  const rows = await rowsOfRun(metadata.run_id, 2);
  assert.deepEqual(rows.map(({ status }) => status).toSorted(), ['failed', 'ok']);
  const failed = rows.find(({ status }) => status === 'failed');
  assert.deepEqual([Number(failed.input_tokens), failed.cost], [0, 0]);

  // Longer than the test takes to see the first word.
  server.reply({ text: 'A long answer that nobody waits for. '.repeat(100), deltas: 2000, chunk_delay_ms: 50 });
  const id = await app.converse(settings);
  const saying = app.say(id, 'Tell me');
  await until(
    async () =>
      (
        await app.query(
          'select 1 from run_events e join runs r on r.id = e.run_id where r.conversation_id = $1 and e.type = $2',
          [id, 'text-delta'],
        )
      ).length,
    (count) => count > 0,
  );
  await app.call('POST', `/v1/conversations/${id}/stop`);
  const stopped = await saying;
  const [row] = await rowsOfRun(stopped.metadata.run_id, 1);
  assert.deepEqual([row.status, row.estimated], ['stopped', true]);
  assert.ok(Number(row.output_tokens) > 0);
});

test('stores the calls of a run with its end, without another statement', async (t) => {
  server.answers = undefined;
  // Stop the clock: the calls of a run that takes seconds would be stored before its end.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const { metadata } = await app.ask({ model: [`${name}/one`], top_k: 0 });
  const [call] = await app.query('select tx::text from model_calls where run_id = $1', [metadata.run_id]);
  const [fact] = await app.query(
    'select tx::text, status, messages, begins, ttft_ms from run_facts where run_id = $1',
    [metadata.run_id],
  );
  assert.equal(call.tx, fact.tx);
  assert.deepEqual([fact.status, fact.messages, fact.begins], ['completed', 2, true]);
  assert.ok(fact.ttft_ms >= 0);
});

test('a call that is just being stored with its run is not stored a second time by the way', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'], now: Date.now() });
  const written: string[][] = [];
  const run = async ({ values }: Sql) => {
    const rows = values.flatMap((value) => JSON.parse(String(value)) as { run_id: string }[]);
    written.push(rows.map(({ run_id }) => run_id));
    return 1;
  };
  const ledger = makeLedger({ db: { run } as unknown as Database, log: makeLog('silent') });
  for (const run_id of ['a', 'b', 'c'])
    ledger.record({
      caller: { tenant_id: 't', workspace_id: 'w' },
      context: { conversation_id: null, run_id, agent_id: null, version_id: null },
      ...{ purpose: 'reply', model: 'p/m', started_at: Date.now(), ms: 1, ttft_ms: null, status: 'ok', cost: null },
      usage: { input_tokens: 1, cached_tokens: 0, output_tokens: 1, reasoning_tokens: 0 },
      ...{ estimated: false, request: undefined },
    });
  const [stored, lost] = [ledger.along('a'), ledger.along('b')];
  assert.equal(ledger.along('a'), undefined);
  const later = async () => {
    t.mock.timers.tick(3000);
    // The statements of one turn of the clock end before the next.
    await new Promise((resolve) => setImmediate(resolve));
  };
  await later();
  assert.deepEqual(written, [['c']]);
  stored?.over(true);
  lost?.over(false);
  await later();
  await ledger.close();
  assert.deepEqual(written, [['c'], ['b']]);
});
