import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';

import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { until } from '../insights/testing.ts';
import { defineTool } from '../tools/service.ts';
import { citationScore, compareResults, expectedScore } from './score-case.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
type Json = any;

let ran = 0;
const order = defineTool({
  ...{ tool: 'test_order', description: 'Looks an order up', repeatable: false },
  ...{ input: z.object({ id: z.string() }), output: z.object({ state: z.string(), title: z.string() }) },
  sources: (output) => [{ url: null, title: (output as { title: string }).title, quote: null }],
  async run() {
    ran += 1;
    return { state: 'sent', title: 'Order book' };
  },
});
const app = await scriptedApp({ roles: ['http', 'worker'], db_pool: 8 }, { tools: [order] });
const { server, name } = await app.provider();
const { call } = app;

/** Versions differ by their persona, which decides what the model answers. */
server.answers = (body) => {
  const told = JSON.stringify(body['messages']);
  if (body['response_format'] && told.includes('Speechless')) return { text: 'I would rather not say.' };
  if (body['response_format'])
    return { text: JSON.stringify({ score: told.includes('Sorry') ? 2 : 5, reason: 'By its tone.' }) };
  const called = body['messages'].findLast(({ role }: Json) => role !== 'assistant').role === 'tool';
  if (told.includes('order') && !called)
    return { tool_calls: [{ name: 'test_order', input: { id: '7' } }], usage: { input: 20, output: 5 } };
  if (called)
    return { text: /"state/.test(told) ? 'Your order was sent' : 'Nobody knows', usage: { input: 30, output: 5 } };
  return {
    text: told.includes('You are rude') ? 'Sorry, no idea' : 'A refund takes five days',
    usage: { input: 10, output: 5 },
  };
};

const base = { model: [`${name}/one`], top_k: 0, max_retries_per_model: 0 };
const { json: agent } = await call('POST', '/v1/agents', {
  name: 'Shop',
  definition: { ...base, persona: 'You are kind.' },
});
const { json: rude } = await call('POST', `/v1/agents/${agent.id}/versions`, {
  name: 'Rude',
  definition: { ...base, persona: 'You are rude.' },
});

const cases = [
  {
    name: 'refund',
    messages: ['How long does a refund take?'],
    expected: 'five days',
    match: 'contains',
    criteria: 'It is kind.',
  },
  {
    ...{
      name: 'order',
      messages: ['Where is my order 7?'],
      expected: 'Your order was sent',
      citations: ['Order book'],
    },
    tools: [{ name: 'test_order', input: { id: '7' }, output: { state: 'sent', title: 'Order book' } }],
  },
];

async function finished(evaluation: string, version_id?: string): Promise<Json> {
  const started = await call('POST', `/v1/evaluations/${evaluation}/runs`, version_id ? { version_id } : {});
  assert.equal(started.status, 200, started.text);
  return until(
    async () => (await call('GET', `/v1/evaluations/${evaluation}/runs/${started.json.id}`)).json,
    ({ status }) => status === 'completed' || status === 'failed',
  );
}
const newSet = async (body: object): Promise<string> => {
  const made = await call('POST', '/v1/evaluations', { name: 'Set', agent_id: agent.id, ...body });
  assert.equal(made.status, 200, made.text);
  return made.json.id;
};

test('tries two versions with the same cases and recorded tools, scores them and reports the differences', async () => {
  const id = await newSet({ cases });
  const [kind, worse] = [await finished(id), await finished(id, rude.id)];
  assert.deepEqual([kind.status, kind.summary.passed, kind.summary.cases], ['completed', 2, 2]);
  const [refund, found] = kind.results;
  assert.deepEqual(refund.scores, { expected: 1, judge: 1, citations: null });
  assert.deepEqual([found.answer, found.scores.citations], ['Your order was sent', 1]);
  assert.deepEqual(found.tool_calls, [{ name: 'test_order', recorded: true }]);
  assert.equal(found.input_tokens + found.output_tokens, 60);
  assert.equal(ran, 0, 'a tool was really run');
  const { json: report } = await call('GET', `/v1/evaluations/${id}/report?from=${kind.id}&to=${worse.id}`);
  assert.deepEqual([report.worse, report.same, report.better], [1, 1, 0]);
  assert.deepEqual([report.cases[0].change, report.cases[0].to.reason], ['worse', 'By its tone.']);
  assert.equal(report.to.version_id, rude.id);
  const runs = (await call('GET', `/v1/evaluations/${id}/runs`)).json;
  assert.deepEqual(
    runs.items.map((one: Json) => one.id),
    [worse.id, kind.id],
  );
});

test('fails the case when the judge gives no grade, and keeps the answer and its cost', async () => {
  const one = { messages: ['How long does a refund take?'], expected: 'five days', match: 'contains' };
  const { results, summary } = await finished(await newSet({ cases: [{ ...one, criteria: 'Speechless.' }] }));
  const [{ answer, input_tokens, scores, passed, error }] = results;
  assert.deepEqual([answer, input_tokens, passed], ['A refund takes five days', 10, false]);
  assert.deepEqual(scores, { expected: 1, judge: null, citations: null });
  assert.equal(error, 'The judge could not be asked, or did not answer with a grade');
  assert.deepEqual([summary.errors, summary.tokens], [1, 15]);
});

test('a run changes no production data except for the cost ledger', async () => {
  const id = await newSet({ cases });
  // A version of its own, since costs of other tests may still arrive in the ledger.
  const definition = { ...base, persona: 'You are thrifty.' };
  const { json: own } = await call('POST', `/v1/agents/${agent.id}/versions`, { name: 'Own', definition });
  const tables = [
    'conversations',
    'messages',
    'runs',
    'run_events',
    'run_facts',
    'csat_scores',
    'feedback',
    'agents',
    'agent_versions',
  ];
  const state = async () =>
    Promise.all(
      tables.map(
        async (table) =>
          (await app.query(`select md5(string_agg(t::text, ',' order by t::text)) as sum from ${table} t`))[0].sum,
      ),
    );
  const before = await state();
  const run = await finished(id, own.id);
  assert.deepEqual(await state(), before);

  const rows = await until(
    () => app.query("select * from model_calls where purpose = 'evaluation' and version_id = $1", [own.id]),
    (all) => all.length === 3,
  );
  const sum = rows.reduce((all, row) => all + Number(row.input_tokens) + Number(row.output_tokens), 0);
  assert.equal(sum, run.summary.tokens);
  assert.deepEqual([rows[0].conversation_id, rows[0].version_id], [null, own.id]);
});

test('answers a tool call without a recording with an error, and runs no tool', async () => {
  const id = await newSet({ cases: [{ ...cases[1], tools: [] }] });
  const { results } = await finished(id);
  assert.equal(results[0].answer, 'Nobody knows');
  assert.deepEqual(results[0].tool_calls, [{ name: 'test_order', recorded: false }]);
  assert.equal(results[0].passed, false);
  assert.equal(ran, 0);
});

test('makes a case of a conversation with its turns, tools and answer, without personal data', async () => {
  const talk = await app.converse({}, `?assistant_id=${agent.id}`);
  const before = ran;
  await app.say(talk, 'Where is my order 7? I am anna.berg@corp-mail.com');
  assert.equal(ran, before + 1);
  const id = await newSet({ conversation_ids: [talk] });
  const { json } = await call('GET', `/v1/evaluations/${id}`);
  assert.ok(!JSON.stringify(json).includes('anna.berg'));
  const [one] = json.cases;
  assert.deepEqual(
    [one.expected, one.tools[0].name, one.tools[0].output.state],
    ['Your order was sent', 'test_order', 'sent'],
  );
  const run = await finished(id);
  assert.deepEqual([run.summary.passed, run.results[0].scores.expected], [1, 1]);
  assert.equal(ran, before + 1, 'a tool was really run again');
});

test('keeps places, times and pages in a case, unless the agent anonymizes them', async () => {
  const said = 'What is the per diem in Paris at 9:30, by leave.md? Ask anna.berg@corp-mail.com';
  const [plain, hiding] = await Promise.all(
    [{}, { pii_anonimization: ['LOCATION'] }].map(async (more) => {
      const talk = await app.converse({ model: [`${name}/one`], ...more });
      await app.say(talk, said);
      const id = await newSet({ conversation_ids: [talk] });
      return (await call('GET', `/v1/evaluations/${id}`)).json.cases[0].messages[0] as string;
    }),
  );
  assert.equal(plain, said.replace('anna.berg@corp-mail.com', '<EMAIL_ADDRESS_1>'));
  assert.equal(hiding, plain.replace('Paris', '<LOCATION_1>'));
});

test('an interrupted run continues with the remaining cases', async () => {
  const id = await newSet({ cases: [cases[0], cases[0], cases[0]] });
  const first = await finished(id);
  const asked = server.requests.length;
  await app.query("update evaluation_runs set status = 'running', finished_at = null where id = $1", [first.id]);
  await app.query('delete from evaluation_results where evaluation_run_id = $1 and position = 2', [first.id]);
  await app.query(
    "select graphile_worker.add_job('evaluations.run', json_build_object('workspace_id', $1::text, 'run_id', $2::text))",
    [agent.group_id, first.id],
  );
  const again = await until(
    async () => (await call('GET', `/v1/evaluations/${id}/runs/${first.id}`)).json,
    ({ status }) => status === 'completed',
  );
  assert.equal(again.results.length, 3);
  // One answer and one grade.
  assert.equal(server.requests.length - asked, 2);
});

test('a failing model fails its case, and the remaining cases are tried', async () => {
  const id = await newSet({ cases: [{ messages: ['Fail'] }, cases[0]] });
  const answers = server.answers;
  server.answers = (body) =>
    JSON.stringify(body['messages']).includes('Fail') ? { status: 400, error: 'no' } : answers?.(body);
  const run = await finished(id);
  server.answers = answers;
  assert.deepEqual([run.status, run.summary.errors, run.summary.passed], ['completed', 1, 1]);
  assert.match(run.results[0].error, /No model answered/);
});

test('updates, lists and deletes evaluations, and refuses to run one without cases', async () => {
  const id = await newSet({});
  assert.equal((await call('POST', `/v1/evaluations/${id}/runs`, {})).status, 409);
  const { json } = await call('PATCH', `/v1/evaluations/${id}`, { cases: [cases[0]] });
  assert.equal(json.cases.length, 1);
  const listed = (await call('GET', `/v1/evaluations?agent_id=${agent.id}&size=1`)).json;
  assert.equal(listed.items[0].id, id);
  assert.equal((await call('DELETE', `/v1/evaluations/${id}`)).status, 200);
  assert.equal((await call('GET', `/v1/evaluations/${id}`)).status, 404);
});

test('computes scores', () => {
  const one = { messages: ['x'], match: 'similar', expected: 'a refund takes five days' } as const;
  const scored = (match: 'exact' | 'contains' | 'similar', answer: string) =>
    expectedScore({ ...one, messages: ['x'], match }, answer);
  assert.equal(scored('exact', 'A refund  takes five days'), 1);
  assert.equal(scored('exact', 'five days'), 0);
  assert.equal(scored('contains', 'Well, a refund takes five days.'), 1);
  assert.ok((scored('similar', 'It takes five days') ?? 0) > 0.5);
  assert.equal(scored('similar', 'No idea'), 0);
  assert.equal(expectedScore({ messages: ['x'], match: 'similar' }, 'y'), null);
  assert.equal(
    citationScore({ messages: ['x'], match: 'similar', citations: ['Book', 'Page'] }, 'see the book', []),
    0.5,
  );
});

test('tells dearer, cheaper, slower and faster cases apart', () => {
  const result = (cost: number | null, ms: number) => ({
    ...{ position: 0, case_id: 'a', name: 'a', answer: '', passed: true, reason: null, tool_calls: [], error: null },
    ...{ input_tokens: 0, output_tokens: 0, cost, ms, marks: [], hidden: null },
    scores: { expected: null, judge: null, citations: null },
  });
  const changes = (from: [number | null, number], to: [number | null, number]) => {
    const [one] = compareResults({ results: [result(...from)], cases: [] }, { results: [result(...to)], cases: [] });
    return [one?.cost_change, one?.speed_change];
  };
  assert.deepEqual(changes([1, 1000], [1.2, 1300]), ['dearer', 'slower']);
  assert.deepEqual(changes([1, 1300], [0.5, 1000]), ['cheaper', 'faster']);
  assert.deepEqual(changes([1, 1000], [1.05, 1150]), ['same', 'same']);
  assert.deepEqual(changes([null, 100], [1, 250]), [null, 'same']);
  assert.deepEqual(changes([0, 100], [0, 100]), ['same', 'same']);
});
