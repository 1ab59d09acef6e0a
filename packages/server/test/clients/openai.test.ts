import assert from 'node:assert/strict';
import { test } from 'node:test';
import OpenAI from 'openai';
import { scriptedApp } from '../support/scripted-app.ts';
import { listenOnSocket } from '../support/socket-client.ts';

const testing = await scriptedApp();
const { call, provider, workspace, query } = testing;
const { port } = await listenOnSocket(testing.app);
const baseURL = `http://127.0.0.1:${port}/v1`;
const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL, maxRetries: 0 });
const client = clientOf(testing.admin);

let count = 0;
/** An agent on a model of its own, and the client's name for it. */
async function agentOn(definition: object = {}, ...replies: Parameters<typeof provider>) {
  const { server, name: account } = await provider(...replies);
  const name = `Agent ${++count}`;
  const settings = { model: [`${account}/one`], max_retries_per_model: 0, ...definition };
  const { json } = await call('POST', '/v1/agents', { name, definition: settings });
  return { server, id: json.id as string, name, model: `agent:${json.id}` };
}

const hello = [{ role: 'user' as const, content: 'Hello' }];

async function streamed(
  body: Omit<OpenAI.ChatCompletionCreateParamsStreaming, 'stream'>,
  seen: (chunk: OpenAI.ChatCompletionChunk) => unknown = () => {},
) {
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  for await (const chunk of await client.chat.completions.create({ ...body, stream: true })) {
    chunks.push(chunk);
    seen(chunk);
  }
  return chunks;
}
const textOf = (chunks: OpenAI.ChatCompletionChunk[]) =>
  chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');

/** What the client threw, by its class. */
async function refusal(asked: PromiseLike<unknown>) {
  const error = await Promise.resolve(asked).then(
    () => assert.fail('nothing was thrown'),
    (thrown) => thrown as InstanceType<typeof OpenAI.APIError>,
  );
  return { error, seen: [error.constructor.name, error.status, error.code, error.param] };
}

test('the openai package lists the agents of a key and gets one by id or by name', async () => {
  const { key } = await workspace(['agents_run', 'agents_edit']);
  const { json: agent } = await call('POST', '/v1/agents', { name: 'Own agent' }, { key });
  const theirs = clientOf(key);
  const listed = await Array.fromAsync(await theirs.models.list());
  const { id, object, owned_by } = listed[0] as OpenAI.Model;
  assert.deepEqual([listed.length, id, object, owned_by], [1, `agent:${agent.id}`, 'model', agent.group_id]);
  for (const model of [id, 'agent:Own agent', agent.id])
    assert.deepEqual(await theirs.models.retrieve(model), listed[0]);
});

test('the openai package gets an answer with its usage', async () => {
  const { model, name } = await agentOn({}, { text: 'Good day', usage: { input: 20, cached: 5, output: 3 } });
  const answer = await client.chat.completions.create({ model, messages: hello });
  assert.match(answer.id, /^chatcmpl-[0-9a-f-]{36}$/);
  assert.deepEqual([answer.object, answer.model], ['chat.completion', model]);
  assert.ok(Math.abs(answer.created - Date.now() / 1000) < 60);
  assert.deepEqual(answer.choices, [
    {
      index: 0,
      message: { role: 'assistant', content: 'Good day', refusal: null },
      logprobs: null,
      finish_reason: 'stop',
    },
  ]);
  assert.deepEqual(answer.usage, {
    prompt_tokens: 20,
    completion_tokens: 3,
    total_tokens: 23,
    prompt_tokens_details: { cached_tokens: 5 },
    completion_tokens_details: { reasoning_tokens: 0 },
  });
  const byName = await client.chat.completions.create({ model: `agent:${name}`, messages: hello });
  assert.equal(byName.choices[0]?.message.content, 'You said: Hello');
});

test('the openai package reads a stream: the role first, then words, then why it ended and the usage', async () => {
  const heard = Promise.withResolvers<void>();
  const words = { text: 'Good day to you.', deltas: 2, held: { before: 'to you', until: heard.promise } };
  const { model } = await agentOn({}, { ...words, finish: 'length' });
  const body = { model, messages: hello, stream_options: { include_usage: true } };
  const chunks = await streamed(body, ({ choices }) => choices[0]?.delta.content && heard.resolve());
  assert.deepEqual(chunks[0]?.choices[0]?.delta, { role: 'assistant', content: '', refusal: null });
  assert.equal(textOf(chunks), 'Good day to you.');
  assert.ok(chunks.length >= 5, `${chunks.length} chunks: the words come as they are said`);
  const [end, usage] = chunks.slice(-2);
  assert.deepEqual([end?.choices[0]?.delta, end?.choices[0]?.finish_reason, end?.usage], [{}, 'length', null]);
  assert.deepEqual([usage?.choices, usage?.usage?.total_tokens], [[], 18]);
  assert.equal(new Set(chunks.map(({ id }) => id)).size, 1);
  assert.ok(chunks.every(({ object }) => object === 'chat.completion.chunk'));

  const plain = await streamed({ model, messages: hello });
  assert.ok(plain.every((chunk) => chunk.choices.length === 1 && !('usage' in chunk)));
});

test("the package's own stream helper puts the message together", async () => {
  const { model } = await agentOn({}, { text: 'Put together', deltas: 3 });
  const runner = client.chat.completions.stream({ model, messages: hello });
  assert.equal(await runner.finalContent(), 'Put together');
});

test('a wrong key, an unknown agent and a bad request are the classes that the package has for them', async () => {
  const { model } = await agentOn();
  const wrong = await refusal(clientOf('wrong').chat.completions.create({ model, messages: hello }));
  assert.deepEqual(wrong.seen, ['AuthenticationError', 401, 'unauthorized', null]);
  const { key } = await workspace(['agents_edit']);
  assert.equal((await refusal(clientOf(key).models.list())).seen[0], 'PermissionDeniedError');
  const unknown = await refusal(client.chat.completions.create({ model: 'gpt-4o', messages: hello }));
  assert.deepEqual(unknown.seen, ['NotFoundError', 404, 'model_not_found', null]);
  assert.match(unknown.error.message, /agent:<id or name>/);
  const bad = await refusal(client.chat.completions.create({ model, messages: hello, temperature: 9 }));
  assert.deepEqual(bad.seen, ['UnprocessableEntityError', 422, 'less_than_equal', 'temperature']);
  assert.match(bad.error.message, /temperature: Input should be less than or equal to 2/);
  assert.equal(bad.error.type, 'invalid_request_error');
  const rows = await query('select 1 from conversations where assistant_id = $1', [model.slice(6)]);
  assert.equal(rows.length, 0, 'a refused request left a conversation');
});

test('a failed run is an error to the package, as an answer and in a stream', async () => {
  const { model } = await agentOn({}, { status: 500, error: 'Oh no' }, { status: 500, error: 'Oh no' });
  const { error, seen } = await refusal(client.chat.completions.create({ model, messages: hello }));
  assert.deepEqual(seen, ['InternalServerError', 503, 'model_failed', null]);
  assert.match(error.message, /Oh no/);
  assert.equal(error.headers?.get('x-should-retry'), 'false');
  const stream = await refusal(streamed({ model, messages: hello }));
  assert.ok(stream.error instanceof OpenAI.APIError);
  assert.equal(stream.error.code, 'model_failed');
});

test('the package does not repeat by itself what can only fail again', async () => {
  const { model, server } = await agentOn({}, { status: 400, error: 'No' });
  const patient = new OpenAI({ apiKey: testing.admin, baseURL, maxRetries: 2 });
  await refusal(patient.chat.completions.create({ model, messages: hello }));
  assert.equal(server.requests.length, 1);
});

test('no text reaches a stream twice when the model breaks off and starts over', async () => {
  const broken = { text: 'Good day to you', deltas: 5, drop_after: 4, chunk_delay_ms: 60 };
  const patient = { max_retries_per_model: 1 };
  const same = await agentOn(patient, broken, { text: 'Good day to you' });
  assert.equal(textOf(await streamed({ model: same.model, messages: hello })), 'Good day to you');
  assert.equal(same.server.requests.length, 2);

  const other = await agentOn(patient, broken, { text: 'Something else' }, broken, { text: 'Something else' });
  let seen = '';
  const { error } = await refusal(
    (async () => {
      const stream = await client.chat.completions.create({ model: other.model, messages: hello, stream: true });
      for await (const { choices } of stream) seen += choices[0]?.delta.content ?? '';
    })(),
  );
  assert.equal(error.code, 'answer_restarted');
  assert.ok(seen.length > 0 && 'Good day to you'.startsWith(seen), seen);

  const whole = await client.chat.completions.create({ model: other.model, messages: hello });
  assert.equal(whole.choices[0]?.message.content, 'Something else');
});

test('a client that leaves stops its run', async () => {
  const { model } = await agentOn(
    {},
    { text: 'Go ahead', deltas: 2, held: { before: 'head', until: new Promise(() => {}) } },
  );
  const stream = await client.chat.completions.create({ model, messages: hello, stream: true });
  for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
  for (let look = 0; look < 1200; look++) {
    const [run] = await query(
      'select r.status from runs r join conversations c on c.id = r.conversation_id where c.assistant_id = $1',
      [model.slice(6)],
    );
    if (run.status === 'stopped') return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail('the run went on');
});

test('a guardrail that refuses is an answer with content_filter, which the package does not retry', async () => {
  // Guardrails ask the same provider, so it has to be the only one.
  const own = await scriptedApp();
  const { server, name } = await own.provider();
  const definition = { model: [`${name}/one`], toxicity: 'High', guardrail_action: 'fail' };
  const { json: agent } = await own.call('POST', '/v1/agents', { name: 'Kind', definition });
  const model = `agent:${agent.id}`;
  server.answers = ({ response_format }) =>
    response_format && { text: JSON.stringify({ flagged: true, severity: 'severe', reason: 'As graded' }) };
  const { port: ownPort } = await listenOnSocket(own.app);
  const at = { apiKey: own.admin, baseURL: `http://127.0.0.1:${ownPort}/v1` };
  const patient = new OpenAI({ ...at, maxRetries: 2 });
  const answer = await patient.chat.completions.create({ model, messages: hello });
  assert.equal(answer.choices[0]?.finish_reason, 'content_filter');
  assert.match(answer.choices[0]?.message.content ?? '', /stopped by a guardrail: toxicity/);
  const stream = await patient.chat.completions.create({ model, messages: hello, stream: true });
  const chunks = await Array.fromAsync(stream);
  assert.equal(chunks.at(-1)?.choices[0]?.finish_reason, 'content_filter');
  assert.match(textOf(chunks), /stopped by a guardrail: toxicity/);
  assert.ok(
    server.requests.every(({ body }) => body.response_format),
    'the model heard it',
  );
});

test('a number of tokens above the limit of the agent gets that limit and a warning, streamed too', async () => {
  const { server, model } = await agentOn({ max_tokens: 300 });
  const body = { model, messages: hello, max_completion_tokens: 5000 };
  const warning = 'max_tokens_lowered: 5000 tokens were asked for, this agent writes at most 300';
  const answer = await client.chat.completions.create(body);
  assert.partialDeepStrictEqual(answer, { warnings: [warning] });
  assert.equal(server.last().body.max_tokens, 300);
  assert.partialDeepStrictEqual((await streamed(body)).at(-1), { warnings: [warning] });
  const fitting = await client.chat.completions.create({ ...body, max_completion_tokens: 200 });
  assert.ok(!('warnings' in fitting));
  assert.equal(server.last().body.max_tokens, 200);
});

test('tool calls and JSON that are cut at the limit end with the reason length', async () => {
  const call = { name: 'look_up', input: '{"city": "Os' };
  const { server, model } = await agentOn({}, { tool_calls: [call], finish: 'length' });
  const tools = [{ type: 'function' as const, function: { name: 'look_up', parameters: { type: 'object' } } }];
  const called = await client.chat.completions.create({ model, messages: hello, tools });
  const [choice] = called.choices;
  assert.deepEqual([choice?.finish_reason, choice?.message.tool_calls?.length], ['length', 1]);
  server.reply({ text: '{"city": "Os', finish: 'length' });
  const json = await client.chat.completions.create({
    ...{ model, messages: hello },
    response_format: { type: 'json_object' },
  });
  assert.deepEqual([json.choices[0]?.finish_reason, json.choices[0]?.message.content], ['length', '{"city": "Os']);
});
