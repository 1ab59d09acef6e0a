import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { chatDialect } from '../../../test/providers/chat-dialect.ts';
import { type Dialect, scriptedServer, tokensOf } from '../../../test/providers/scripted-server.ts';
import { closing, scriptedApp } from '../../../test/support/scripted-app.ts';
import { until } from '../insights/testing.ts';
import { defineTool } from '../tools/service.ts';
import { aNode, anEdge } from '../workflows/testing.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
type Json = any;

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
const mail = defineTool({
  ...{ tool: 'mail_find', description: 'Finds', repeatable: true, input: z.object({ address: z.string() }) },
  ...{ output: z.object({ owner: z.string() }), run: async () => ({ owner: 'carl.gauss@corp-mail.com' }) },
});
const [held, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
const hold = defineTool({
  ...{ tool: 'hold_on', description: 'Waits', repeatable: true, input: z.object({}), output: z.string() },
  async run() {
    held.resolve();
    await free.promise;
    return 'held';
  },
});
const app = await scriptedApp({ roles: ['http', 'worker'], db_pool: 10 }, { tools: [mail, hold] });
const server = await closing(scriptedServer({ '/chat/completions': chatDialect, '/embeddings': embeddingDialect }));
const name = await app.account([server.url]);
server.answers = (body) => (body['input'] ? { usage: { input: 7, output: 0 } } : undefined);
const model = { model: [`${name}/one`], top_k: 0, max_retries_per_model: 0 };
const usage = { input: 50, output: 5 };

const traceOf = async (run_id: string, query = ''): Promise<Json> => {
  const { status, json, text } = await app.call('GET', `/v1/runs/${run_id}/trace${query}`);
  assert.equal(status, 200, text);
  return json;
};
/** Calls of models are stored a moment after their run. */
const whole = (run_id: string, models: number) =>
  until(
    () => traceOf(run_id),
    ({ steps }) => steps.filter(({ kind }: Json) => kind === 'model').length >= models,
  );
const ofKind = (trace: Json, kind: string): Json[] => trace.steps.filter((step: Json) => step.kind === kind);
const sum = (steps: Json[], key: string) => steps.reduce((all, step) => all + step[key], 0);
async function assertSums(trace: Json) {
  const { time } = trace;
  assert.equal(time.ms, Date.parse(trace.finished_at) - Date.parse(trace.created_at));
  assert.equal(sum(time.parts, 'ms'), time.ms, JSON.stringify(time));
  const [before] = time.gaps;
  assert.ok(['queued', 'preparing'].includes(before.phase), JSON.stringify(time));
  const models = ofKind(trace, 'model');
  for (const key of ['input_tokens', 'output_tokens', 'cached_tokens', 'reasoning_tokens']) {
    assert.equal(sum(models, key), trace.whole[key], key);
    assert.equal(
      sum(
        models.filter(({ run_id }) => run_id === trace.run_id),
        key,
      ),
      trace[key],
      key,
    );
  }
  const { json } = await app.call('GET', `/v1/runs/${trace.run_id}`);
  assert.deepEqual([json.usage.input_tokens, json.usage.cost], [trace.input_tokens, trace.cost]);
}

test('embeddings inside of a search are parts of the search, and tokens add up to the totals of the run', async () => {
  const settings_ = { embedding_model: [`${name}/vectors`], auto_summary: false, retrieval_method: 'semantic' };
  const { json: base } = await app.call('POST', '/v1/knowledge-bases', { name: 'Tea', settings_ });
  const body =
    '--B\r\ncontent-disposition: form-data; name="files"; filename="tea.txt"\r\n\r\nTea is a drink.\r\n--B--\r\n';
  const headers = { 'content-type': 'multipart/form-data; boundary=B' };
  await app.call('POST', `/v1/knowledge-bases/${base.id}/upload_train`, body, { headers });
  await until(
    async () => (await app.call('GET', `/v1/knowledge-bases/${base.id}`)).json,
    ({ status }) => status === 'ready',
  );
  server.answers = (asked) => {
    if (asked['input']) return { usage: { input: 7, output: 0 } };
    const [tool] = (asked['tools'] ?? [])
      .map((one: Json) => one.function.name)
      .filter((one: string) => /^kb_/.test(one));
    const searched = asked['messages'].some(({ role }: Json) => role === 'tool');
    return searched
      ? { text: 'A drink', usage }
      : { tool_calls: [{ id: 's1', name: tool, input: { query: 'tea' } }], usage };
  };
  const seen = await app.ask({ ...model, knowledge_bases: [base.id] }, 'What is tea?');
  server.answers = undefined;
  const trace = await whole(seen.metadata.run_id, 3);
  const [search] = ofKind(trace, 'tool');
  const [embedding] = ofKind(trace, 'model').filter(({ purpose }) => purpose === 'embedding');
  assert.deepEqual([embedding.parent_id, embedding.input_tokens, search.parent_id], [search.id, 7, null]);
  assert.deepEqual([search.input, search.call_id, search.outcome], [{ query: 'tea' }, 's1', 'ok']);
  assert.match(JSON.stringify(search.output), /Tea is a drink/);
  assert.equal(trace.input_tokens, 107);
  await assertSums(trace);
});

test('inputs and outputs of tools show placeholders for private values, and nothing without content', async () => {
  server.reply(
    { tool_calls: [{ id: 'm1', name: 'mail_find', input: { address: '<EMAIL_ADDRESS_1>' } }] },
    { text: 'It is <EMAIL_ADDRESS_2>' },
  );
  const seen = await app.ask({ ...model }, 'Whose is anna.berg@corp-mail.com?');
  assert.match(seen.text, /carl\.gauss@corp-mail\.com/);
  const { run_id } = seen.metadata;
  const trace = await whole(run_id, 2);
  const [tool] = ofKind(trace, 'tool');
  assert.deepEqual([tool.input, tool.output], [{ address: '<EMAIL_ADDRESS_1>' }, { owner: '<EMAIL_ADDRESS_2>' }]);
  assert.doesNotMatch(JSON.stringify(trace), /anna\.berg|carl\.gauss/);
  const bare = await traceOf(run_id, '?content=false');
  const [same] = ofKind(bare, 'tool');
  assert.deepEqual([same.id, same.input, same.output], [tool.id, null, null]);
  assert.ok(ofKind(bare, 'model').every(({ prompt, answer }) => prompt === null && answer === null));
  const one = await traceOf(run_id, `?step_id=${tool.id}`);
  assert.deepEqual(one.steps, [tool]);
});

test('the run of a subagent hangs below the call that started it, with its own steps', async () => {
  const { json: helper } = await app.call('POST', '/v1/agents', { name: 'Helper', definition: model });
  server.reply(
    { tool_calls: [{ id: 'd1', name: 'subagents_delegate', input: { agent: 'Helper', task: 'Count' } }], usage },
    { text: 'Three', usage: { input: 20, output: 2 } },
    { text: 'It is three', usage },
  );
  const settings = { ...model, subagents: [{ id: helper.id }], subagents_enabled: true };
  const { json: boss } = await app.call('POST', '/v1/agents', { name: 'Boss', definition: settings });
  const { metadata } = await app.say(await app.converse({}, `?assistant_id=${boss.id}`));
  const trace = await whole(metadata.run_id, 3);
  const [call] = ofKind(trace, 'tool');
  const [child] = ofKind(trace, 'run');
  assert.deepEqual(
    [child.parent_id, child.agent_name, child.status, child.input_tokens],
    [call.id, 'Helper', 'completed', 20],
  );
  const inside = ofKind(trace, 'model').filter(({ run_id }) => run_id === child.id);
  assert.deepEqual(
    inside.map(({ parent_id }) => parent_id),
    [child.id],
  );
  assert.deepEqual([trace.input_tokens, trace.whole.input_tokens], [100, 120]);
  await assertSums(trace);
  const listed = (await app.call('GET', `/v1/runs?parent_run_id=${metadata.run_id}`)).json.items;
  assert.deepEqual(
    listed.map(({ id }: Json) => id),
    [child.id],
  );
});

test('each try of a question and each fallback is a step with its reason', async () => {
  server.reply({ status: 503, error: 'Too busy' }, { text: 'Yes', usage });
  const seen = await app.ask({ ...model, model: [`${name}/one`, `${name}/two`] }, 'Hello');
  const trace = await until(
    () => traceOf(seen.metadata.run_id),
    ({ steps }) => steps.length === 2 && steps.every(({ prompt }: Json) => prompt),
  );
  const [first, second] = trace.steps;
  assert.deepEqual([first.model, first.attempt, first.status, first.error], [`${name}/one`, 1, 'failed', true]);
  assert.ok(first.error_message.length > 0);
  assert.deepEqual([second.model, second.attempt, second.answer], [`${name}/two`, 2, 'Yes']);
  assert.deepEqual([first.first_try_id, second.first_try_id], [first.id, first.id]);
  assert.deepEqual([first.parent_id, second.error_message], [null, null]);
});

test('a wait for a person is there while it lasts, and says who decided', async () => {
  server.reply({ tool_calls: [{ id: 'w1', name: 'mail_find', input: { address: 'x' } }] }, { text: 'Done' });
  const { id } = await app.ask({ ...model, tools: [{ type: 'mail', requires_approval: true }] }, 'Find');
  const [run] = (await app.call('GET', `/v1/runs?conversation_id=${id}`)).json.items;
  const waiting = await traceOf(run.id);
  const [open] = ofKind(waiting, 'wait');
  assert.deepEqual(
    [waiting.status, open.for, open.running, open.decision],
    ['awaiting_human_feedback', 'approval', true, null],
  );
  assert.equal(open.parent_id, ofKind(waiting, 'tool')[0].id);
  const { json } = await app.call('POST', `/v1/conversations/${id}/approvals/${open.request_id}`, {
    decision: 'approve',
  });
  const trace = await until(
    () => traceOf(run.id),
    ({ status }) => status === 'completed',
  );
  const [over] = ofKind(trace, 'wait');
  assert.deepEqual([over.running, over.decision, over.by], [false, 'approve', json.decided_by]);
  assert.equal(ofKind(trace, 'tool')[0].running, false);
});

test('a run that is under way shows the tool that is running and the calls so far', async () => {
  server.reply({ tool_calls: [{ id: 'h1', name: 'hold_on', input: {} }] }, { text: 'Done' });
  const id = await app.converse(model);
  const said = app.call('POST', `/v1/conversations/${id}`, { content: 'Hello' });
  await held.promise;
  const [run] = (await app.call('GET', `/v1/runs?conversation_id=${id}`)).json.items;
  const live = await until(
    () => traceOf(run.id),
    (trace) => ofKind(trace, 'tool').length === 1 && ofKind(trace, 'model').length === 1,
  );
  assert.deepEqual([live.status, live.finished_at], ['running', null]);
  assert.deepEqual([ofKind(live, 'tool')[0].running, ofKind(live, 'tool')[0].outcome], [true, null]);
  free.resolve();
  assert.equal((await said).status, 200);
  const over = await whole(run.id, 2);
  assert.ok(over.steps.every(({ running }: Json) => !running));
});

test('a workflow has a trace of its nodes, with the models that they asked', async () => {
  server.reply({ text: 'Hello there', usage });
  const nodes = [
    aNode('g', 'TextGenerationNode', { template: 'Say hello', model: [`${name}/one`] }),
    aNode('o', 'OutputNode'),
  ];
  const definition = { nodes, edges: [anEdge('g.output -> o.input')] };
  const { json: flow } = await app.call('POST', '/v1/workflows', { name: 'Greet', definition });
  const { json: run } = await app.call('POST', `/v1/workflows/${flow.id}/runs/sync`, { input: {} });
  assert.equal(run.status, 'completed', JSON.stringify(run.error));
  const trace = await until(
    () => traceOf(run.id),
    ({ steps }) => steps.some(({ prompt }: Json) => prompt),
  );
  assert.deepEqual([trace.kind, trace.workflow_id, trace.conversation_id], ['workflow', flow.id, null]);
  const [node] = ofKind(trace, 'node').filter(({ node_id }) => node_id === 'g');
  assert.deepEqual([node.type, node.status, node.running], ['TextGenerationNode', 'completed', false]);
  assert.match(JSON.stringify(node.output), /Hello there/);
  const [asked] = ofKind(trace, 'model');
  assert.deepEqual([asked.parent_id, asked.purpose, asked.input_tokens], [node.id, 'workflow', 50]);
  assert.match(JSON.stringify(asked.prompt), /Say hello/);
  await assertSums(trace);
  const { key } = await app.workspace();
  assert.equal((await app.call('GET', `/v1/runs/${run.id}/trace`, undefined, { key })).status, 404);
});

test('traces need the permission of their kind of run', async () => {
  server.reply({ text: 'Yes' });
  const { metadata } = await app.ask(model, 'Hello');
  const { json: me } = await app.call('GET', '/v1/admin/me');
  const keyWith = async (...permissions: string[]) =>
    (await app.call('POST', `/v1/admin/groups/${me.group_id}/api-keys`, { name: 'weak', permissions })).json.value;
  const asked = async (key: string) =>
    (await app.call('GET', `/v1/runs/${metadata.run_id}/trace`, undefined, { key })).status;
  assert.equal(await asked(await keyWith('agents_run')), 403);
  assert.equal(await asked(await keyWith('flows_run')), 404, 'as for a run that does not exist');
  assert.equal(await asked(await keyWith('conversations_read')), 200);
});

test('a model call is made again with a changed prompt, and the conversation stays as it is', async () => {
  server.reply({ text: 'Dear <EMAIL_ADDRESS_1>', usage });
  const seen = await app.ask({ ...model, persona: 'You are polite.' }, 'I am anna.berg@corp-mail.com');
  const { run_id } = seen.metadata;
  const trace = await until(
    () => traceOf(run_id),
    ({ steps }) => steps.some(({ prompt }: Json) => prompt),
  );
  const [asked] = ofKind(trace, 'model');
  const before = (await app.call('GET', `/v1/conversations/${seen.id}`)).json;
  const at = `/v1/runs/${run_id}/trace/${asked.id}/retry`;
  server.reply({ text: 'Hi <EMAIL_ADDRESS_1>', usage: { input: 11, output: 3 } });
  const { status, json, text } = await app.call('POST', at, { system: 'Be brief.', temperature: 0.5 });
  assert.equal(status, 200, text);
  assert.deepEqual([json.text, json.input_tokens, json.model], ['Hi <EMAIL_ADDRESS_1>', 11, `${name}/one`]);
  const sent = server.last().body;
  assert.match(JSON.stringify(sent.messages), /Be brief\..*<EMAIL_ADDRESS_1>/);
  assert.doesNotMatch(JSON.stringify(sent.messages), /polite|anna\.berg/);
  assert.equal(sent.temperature, 0.5);
  // Other messages are hidden like those of users.
  server.reply({ text: 'Yes' });
  const messages = [{ role: 'user', parts: [{ type: 'text', text: 'I am carl.gauss@corp-mail.com' }] }];
  assert.equal((await app.call('POST', at, { messages })).status, 200);
  assert.doesNotMatch(JSON.stringify(server.last().body.messages), /carl\.gauss/);
  assert.equal((await app.call('POST', at, { messages: [{ role: 'pirate' }] })).status, 422);
  assert.deepEqual((await app.call('GET', `/v1/conversations/${seen.id}`)).json, before);
  const calls = await until(
    () => app.query("select run_id, conversation_id from model_calls where purpose = 'trial'"),
    ({ length }) => length === 2,
  );
  assert.deepEqual(calls[0], { run_id: null, conversation_id: null });
  assert.equal(ofKind(await traceOf(run_id), 'model').length, 1);

  const { json: me } = await app.call('GET', '/v1/admin/me');
  const body = { name: 'reader', permissions: ['conversations_read', 'agents_run'] };
  const { value: key } = (await app.call('POST', `/v1/admin/groups/${me.group_id}/api-keys`, body)).json;
  assert.equal((await app.call('POST', at, {}, { key })).status, 403);
  const { key: elsewhere } = await app.workspace();
  assert.equal((await app.call('POST', at, {}, { key: elsewhere })).status, 404);
  const budget = { name: 'Tea', group_id: me.group_id, max_tokens: 1, period: 'month' };
  const { json: made } = await app.call('POST', '/v1/admin/budgets', budget);
  const refused = await app.call('POST', at, {});
  assert.deepEqual([refused.status, refused.json.code], [409, 'budget_reached']);
  await app.call('DELETE', `/v1/admin/budgets/${made.id}`);
  server.reply({ status: 503, error: 'Too busy' });
  const unreached = await app.call('POST', at, {});
  assert.deepEqual([unreached.status, unreached.json.code], [503, 'provider_unavailable']);
  await app.query('delete from call_prompts where run_id = $1', [run_id]);
  const gone = await app.call('POST', at, {});
  assert.deepEqual([gone.status, gone.json.code], [409, 'prompt_not_kept']);
});

test('a trace has content up to max_bytes, says where some is missing, and gives each step whole', async () => {
  const long = 'word '.repeat(2000);
  server.reply(
    { tool_calls: [{ id: 'b1', name: 'mail_find', input: { address: long } }], usage },
    { tool_calls: [{ id: 'b2', name: 'mail_find', input: { address: 'short' } }], usage },
    { text: 'Done', usage },
  );
  const { metadata } = await app.ask({ ...model, pii_anonimization: [] }, 'Find');
  const { run_id } = metadata;
  const full = await until(
    () => traceOf(run_id),
    ({ steps }) => steps.filter(({ prompt }: Json) => prompt).length === 3,
  );
  assert.equal(full.truncated, false);
  assert.ok(full.steps.every((step: Json) => step.truncated === undefined));
  const small = await traceOf(run_id, '?max_bytes=3000');
  assert.equal(small.truncated, true);
  assert.ok(JSON.stringify(small).length < 9000, String(JSON.stringify(small).length));
  const [big, little] = ofKind(small, 'tool');
  assert.deepEqual([big.truncated, big.input, little.truncated], [true, null, undefined]);
  assert.deepEqual([little.input, little.output], [{ address: 'short' }, { owner: 'carl.gauss@corp-mail.com' }]);
  assert.deepEqual(small.whole, full.whole, 'totals are those of all steps');
  for (const step of full.steps) {
    const one = await traceOf(run_id, `?max_bytes=0&step_id=${step.id}`);
    assert.deepEqual([one.truncated, one.steps], [false, [step]]);
  }
  await assertSums(small);
});

test('inputs and outputs of nodes show placeholders for private values', async () => {
  const nodes = [
    aNode('t', 'InputNode', { label: 'Text', value: 'Write to anna.berg@corp-mail.com in Paris' }),
    aNode('o', 'OutputNode'),
  ];
  const definition = { nodes, edges: [anEdge('t.output -> o.input')] };
  const { json: flow, text } = await app.call('POST', '/v1/workflows', { name: 'Write', definition });
  assert.ok(flow.id, text);
  const { json: run } = await app.call('POST', `/v1/workflows/${flow.id}/runs/sync`, { input: {}, tracing: true });
  assert.equal(run.status, 'completed', JSON.stringify(run));
  const trace = await traceOf(run.id);
  const [node] = ofKind(trace, 'node').filter(({ node_id }) => node_id === 't');
  assert.match(JSON.stringify(node.output), /Write to <EMAIL_ADDRESS_1> in Paris/);
  assert.doesNotMatch(JSON.stringify(trace), /anna\.berg/);
  const bare = await traceOf(run.id, '?max_bytes=1');
  assert.equal(ofKind(bare, 'node').find(({ node_id }) => node_id === 't').truncated, true);
});
