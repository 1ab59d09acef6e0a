import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { z } from 'zod';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { doJob, until } from '../insights/testing.ts';
import { defineTool } from '../tools/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
type Json = any;

/** A collector that keeps what it is sent. */
const sent: { headers: Record<string, unknown>; body: Json }[] = [];
let refusals = 1;
const collector = createServer(async (request, response) => {
  const body = JSON.parse(await text(request));
  if (refusals-- > 0) return void response.writeHead(503).end();
  sent.push({ headers: { ...request.headers, path: request.url }, body });
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
});
await new Promise<void>((ready) => collector.listen(0, '127.0.0.1', ready));
after(() => {
  collector.closeAllConnections();
  collector.close();
});
const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;

const look = defineTool({
  ...{ tool: 'test_look', description: 'Looks', repeatable: true, input: z.object({}), output: z.string() },
  async run() {
    await new Promise((later) => setTimeout(later, 60));
    return 'seen';
  },
});
const otlp = { endpoint, headers: { 'x-token': 'collector-key' }, service: 'atrium-test', wait_ms: 200 };
const app = await scriptedApp({ roles: ['http', 'worker'], db_pool: 8, otlp }, { tools: [look] });
const { server, name } = await app.provider();
const settings = { model: [`${name}/one`], top_k: 0, persona: 'You are patient.', toxicity: 'High' };

async function talked(said: string) {
  server.answers = (body) =>
    body['response_format'] ? { text: '{"flagged": false, "severity": "none", "reason": "-"}' } : undefined;
  server.reply(
    { tool_calls: [{ name: 'test_look', input: {} }] },
    { text: 'Seen, <EMAIL_ADDRESS_1>', usage: { input: 40, output: 9 } },
  );
  return app.ask(settings, said);
}
const traceOf = async (run_id: string): Promise<Json> => (await app.call('GET', `/v1/runs/${run_id}/trace`)).json;
const withPrompts = (run_id: string) =>
  until(
    () => traceOf(run_id),
    ({ steps }) => steps.filter(({ prompt }: Json) => prompt).length >= 3,
  );

test('a trace has every step of a run with its time, tokens and the prompt as it was sent, nothing private in it', async () => {
  const began = Date.now();
  const seen = await talked('Look, I am anna.berg@corp-mail.com');
  const took = Date.now() - began;
  assert.match(seen.text, /anna\.berg/);
  const trace = await withPrompts(seen.metadata.run_id);
  assert.deepEqual([trace.status, trace.conversation_id], ['completed', seen.id]);
  const models = trace.steps.filter(({ kind }: Json) => kind === 'model');
  const replies = models.filter(({ purpose }: Json) => purpose === 'reply');
  assert.equal(replies.length, 2);
  assert.ok(models.some(({ purpose }: Json) => purpose === 'guardrail'));
  const [tool] = trace.steps.filter(({ kind }: Json) => kind === 'tool');
  assert.deepEqual([tool.name, tool.error], ['test_look', false]);
  assert.ok(tool.ms >= 50 && tool.ms <= took, `${tool.ms} of ${took} ms`);
  assert.ok(trace.steps.some(({ kind, stage }: Json) => kind === 'guardrail' && stage === 'input'));
  const total = (key: string) => models.reduce((sum: number, step: Json) => sum + step[key], 0);
  assert.deepEqual([trace.input_tokens, trace.output_tokens], [total('input_tokens'), total('output_tokens')]);
  assert.match(replies[0].prompt.system, /You are patient/);
  assert.ok(replies[0].prompt.tools.includes('test_look'));
  assert.match(JSON.stringify(replies[0].prompt.messages), /<EMAIL_ADDRESS_1>/);
  assert.ok(!JSON.stringify(trace).includes('anna.berg'));
});

test('prompts are kept sealed, go with their conversation, and after ATRIUM_TRACE_DAYS', async () => {
  const seen = await talked('Look, I am anna.berg@corp-mail.com');
  const { run_id } = seen.metadata;
  await withPrompts(run_id);
  const kept = () => app.query('select sealed from call_prompts where run_id = $1', [run_id]);
  for (const { sealed } of await kept()) assert.match(sealed, /^box1\./);
  await app.query("update call_prompts set created_at = now() - interval '13 days' where run_id = $1", [run_id]);
  await doJob(app, 'traces.expire');
  assert.ok((await kept()).length > 0);
  await app.query("update call_prompts set created_at = now() - interval '15 days' where run_id = $1", [run_id]);
  await doJob(app, 'traces.expire');
  assert.equal((await kept()).length, 0);
  const trace = await traceOf(run_id);
  assert.ok(trace.steps.length > 3 && trace.steps.every(({ prompt }: Json) => !prompt));
  const other = await talked('Once more');
  await withPrompts(other.metadata.run_id);
  await app.call('DELETE', `/v1/conversations/${other.id}`);
  assert.deepEqual(await app.query('select 1 from call_prompts where run_id = $1', [other.metadata.run_id]), []);
});

test('sends traces to a collector as OTLP in GenAI conventions, also when it was away at first', async () => {
  refusals = 1;
  const seen = await talked('Look, I am anna.berg@corp-mail.com');
  const trace_id = seen.metadata.run_id.replaceAll('-', '');
  const spansIn = () =>
    sent
      .flatMap(({ body }) => body.resourceSpans[0].scopeSpans[0].spans)
      .filter(({ traceId }: Json) => traceId === trace_id);
  const spans: Json[] = await until(
    async () => spansIn(),
    (all) => all.length > 0,
  );
  const attributes = (span: Json) =>
    Object.fromEntries(span.attributes.map(({ key, value }: Json) => [key, Object.values(value)[0]]));
  const root = spans.find(({ parentSpanId }) => parentSpanId === undefined);
  assert.equal(root.name, 'invoke_agent');
  assert.deepEqual([root.kind, root.status, attributes(root)['gen_ai.conversation.id']], [1, {}, seen.id]);
  const chat = spans.findLast((span) => span.name === 'chat one' && attributes(span)['atrium.purpose'] === 'reply');
  assert.deepEqual([chat.kind, chat.parentSpanId], [3, root.spanId]);
  assert.deepEqual(
    [attributes(chat)['gen_ai.usage.input_tokens'], attributes(chat)['gen_ai.usage.output_tokens']],
    ['40', '9'],
  );
  // The terms of the conventions, and no text of users.
  const known = new Set(
    [
      ...['operation.name', 'provider.name', 'conversation.id', 'agent.id', 'agent.version', 'request.model'],
      ...['request.stream', 'response.time_to_first_chunk', 'usage.input_tokens', 'usage.output_tokens'],
      ...['usage.cache_read.input_tokens', 'usage.reasoning.output_tokens', 'tool.name', 'tool.type', 'tool.call.id'],
    ].map((name) => `gen_ai.${name}`),
  );
  const said = spans.flatMap((span) => Object.keys(attributes(span)));
  assert.deepEqual(
    said.filter((name) => !known.has(name) && !name.startsWith('atrium.')),
    [],
  );
  const first = chat.attributes.find(({ key }: Json) => key === 'gen_ai.response.time_to_first_chunk');
  assert.equal(typeof first.value.doubleValue, 'number');
  const tool = spans.find((span) => span.name === 'execute_tool test_look');
  assert.ok(BigInt(tool.endTimeUnixNano) - BigInt(tool.startTimeUnixNano) >= 50_000_000n);
  const last = sent.at(-1) as (typeof sent)[number];
  assert.deepEqual([last.headers['path'], last.headers['x-token']], ['/v1/traces', 'collector-key']);
  assert.equal(last.body.resourceSpans[0].resource.attributes[0].value.stringValue, 'atrium-test');
  assert.ok(!JSON.stringify(sent).includes('anna.berg'));
});

test("another workspace's runs and missing ones have no trace", async () => {
  const seen = await talked('Hello');
  const { key } = await app.workspace();
  assert.equal((await app.call('GET', `/v1/runs/${seen.metadata.run_id}/trace`, undefined, { key })).status, 404);
});
