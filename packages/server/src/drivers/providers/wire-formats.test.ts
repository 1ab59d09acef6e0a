import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ProviderKind } from '@atrium/contract/models/provider-kinds.ts';
import { anthropicProvider } from '../../../test/providers/anthropic-provider.ts';
import { bedrockProvider } from '../../../test/providers/bedrock-provider.ts';
import { googleProvider } from '../../../test/providers/google-provider.ts';
import { openaiProvider } from '../../../test/providers/openai-provider.ts';
import { hear, sampleModelRequest, weather } from '../models/conformance-support.ts';
import { ModelError } from '../models/driver.ts';
import { makeModel } from '../models/make-model.ts';
import { loopbackConnections } from '../web/testing.ts';
import { allProviders } from './all-providers.ts';
import type { ProviderAddress } from './driver.ts';

const openai = await openaiProvider();
const anthropic = await anthropicProvider();
const google = await googleProvider();
after(() => Promise.all([openai.close(), anthropic.close(), google.close()]));

const connections = loopbackConnections();
const at = (kind: ProviderKind, base_url: string, more: Partial<ProviderAddress> = {}, model = 'test-model') => {
  const provider = allProviders.find(({ name }) => name === kind);
  assert.ok(provider);
  return makeModel({ provider, base_url, api_key: 'k-123', ...connections, ...more }, model);
};
const compatible = () => at('openai-compatible', openai.url);

const everything = {
  tools: [weather],
  parallel_tool_calls: false,
  top_k: 40,
  presence_penalty: 0.3,
  frequency_penalty: 0.6,
  stop_sequences: ['END'],
  reasoning: 'high' as const,
  cache: true,
};

test('sends every setting to an openai-compatible server, and warns that it does not take top_k', async () => {
  const { warnings } = await hear(compatible(), sampleModelRequest(everything));
  const { body, path, headers } = openai.last();
  assert.equal(path, '/v1/chat/completions');
  assert.equal(headers.authorization, 'Bearer k-123');
  assert.partialDeepStrictEqual(body, {
    model: 'test-model',
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 321,
    temperature: 0.6,
    top_p: 0.9,
    presence_penalty: 0.3,
    frequency_penalty: 0.6,
    stop: ['END'],
    reasoning_effort: 'high',
    parallel_tool_calls: false,
    tool_choice: 'auto',
  });
  assert.deepEqual(body.tools[0].function, {
    name: 'weather',
    description: weather.description,
    parameters: weather.input_schema,
  });
  assert.deepEqual(warnings, ['top_k was left out: test-model does not take it']);
});

test('sends neutral settings without a warning', async () => {
  for (const model of [compatible(), at('openai', openai.url, { api: 'responses' })]) {
    const { warnings } = await hear(model, sampleModelRequest({ top_p: 1 }));
    const { body } = openai.last();
    assert.deepEqual([body.stop, body.parallel_tool_calls, body.reasoning_effort], [undefined, undefined, undefined]);
    assert.deepEqual(warnings, []);
  }
});

test('sends the Responses API its settings without storage, and warns about the rest', async () => {
  const model = at('openai', openai.url, { api: 'responses' });
  const { warnings } = await hear(model, sampleModelRequest({ ...everything, model: 'gpt-5' }));
  const { body, path } = openai.last();
  assert.equal(path, '/v1/responses');
  assert.partialDeepStrictEqual(body, {
    model: 'gpt-5',
    store: false,
    max_output_tokens: 321,
    parallel_tool_calls: false,
    reasoning: { effort: 'high' },
  });
  for (const setting of ['top_k', 'presence_penalty', 'frequency_penalty', 'stop_sequences', 'temperature', 'top_p'])
    assert.ok(
      warnings.some((warning) => warning.startsWith(setting)),
      `${setting}: ${warnings}`,
    );
});

test('anthropic gets its own options, with the instructions and the last message marked for its cache', async () => {
  const model = at('anthropic', anthropic.url);
  const request = {
    ...everything,
    reasoning: 'off' as const,
    model: 'claude-sonnet-4-5',
    messages: [
      ...sampleModelRequest().messages,
      { role: 'assistant' as const, parts: [{ type: 'text' as const, text: 'Hi' }] },
      { role: 'user' as const, parts: [{ type: 'text' as const, text: 'Newest' }] },
    ],
  };
  const { warnings } = await hear(model, sampleModelRequest(request));
  const { body, path, headers } = anthropic.last();
  assert.equal(path, '/v1/messages');
  assert.equal(headers['x-api-key'], 'k-123');
  assert.partialDeepStrictEqual(body, { max_tokens: 321, temperature: 0.6, top_k: 40, stop_sequences: ['END'] });
  assert.partialDeepStrictEqual(body.tool_choice, { disable_parallel_tool_use: true });
  const marked = { type: 'ephemeral' };
  assert.deepEqual(body.system[0].cache_control, marked);
  assert.deepEqual(body.messages.at(-1).content.at(-1).cache_control, marked);
  assert.equal(JSON.stringify(body.messages.slice(0, -1)).includes('cache_control'), false);
  assert.ok(warnings.some((warning) => warning.startsWith('presence_penalty')));

  await hear(model, sampleModelRequest({ ...request, cache: false }));
  assert.equal(JSON.stringify(anthropic.last().body).includes('cache_control'), false);
});

test('reasoning becomes thinking at anthropic, and is left off when the thoughts of the turn are lost', async () => {
  const model = at('anthropic', anthropic.url);
  const request = sampleModelRequest({
    model: 'claude-sonnet-4-5',
    reasoning: 'medium',
    max_tokens: 8000,
    tools: [weather],
  });
  await hear(model, request);
  assert.equal(anthropic.last().body.thinking.type, 'enabled');
  assert.ok(anthropic.last().body.thinking.budget_tokens > 1000);
  const call = { type: 'tool-call' as const, id: 'lost', name: 'weather', input: { city: 'Oslo' } };
  const results = [{ id: 'lost', name: 'weather', output: 'rain', is_error: true }];
  await hear(model, {
    ...request,
    messages: [...request.messages, { role: 'assistant', parts: [call] }, { role: 'tool', results }],
  });
  const { body } = anthropic.last();
  assert.notEqual(body.thinking?.type, 'enabled');
  assert.equal(body.messages.at(-1).content[0].is_error, true);
});

test('reasoning and reply fit into max_tokens at every provider that takes a number of tokens', async () => {
  const bedrock = await bedrockProvider({ text: 'One' });
  after(() => bedrock.close());
  const keys = { api_key: null, region: 'eu-west-1', access_key_id: 'AKIAEXAMPLE', secret_access_key: 'aws-secret' };
  const asking = (model: string, max_tokens: number) =>
    sampleModelRequest({ model, max_tokens, reasoning: 'high', tools: [] });
  const [gemini, claude] = ['gemini-2.5-flash', 'anthropic.claude-sonnet-4-5-20250929-v1:0'];
  for (const [max_tokens, budget] of [
    [64_000, 38_400],
    [5_000, 3_000],
  ] as const) {
    const atGoogle = await hear(at('google', google.url, {}, gemini), asking(gemini, max_tokens));
    assert.partialDeepStrictEqual(google.last().body.generationConfig, {
      maxOutputTokens: max_tokens,
      thinkingConfig: { thinkingBudget: budget },
    });
    const atBedrock = await hear(at('bedrock', bedrock.url, keys, claude), asking(claude, max_tokens));
    const { inferenceConfig, additionalModelRequestFields } = bedrock.requests.at(-1)?.body ?? {};
    assert.equal(inferenceConfig.maxTokens, max_tokens);
    assert.equal(additionalModelRequestFields.thinking.budget_tokens, budget);
    for (const { warnings } of [atGoogle, atBedrock])
      assert.equal(
        warnings.filter((warning) => warning.startsWith('reasoning_lowered')).length,
        budget < 38_400 ? 1 : 0,
      );
  }
});

test('a schema asks for JSON of it, strictly where the schema is strict', async () => {
  const strict = {
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
    additionalProperties: false,
  };
  const loose = { type: 'object', properties: { a: { type: 'string' } } };
  for (const [schema, is] of [
    [strict, true],
    [loose, false],
  ] as const) {
    await hear(compatible(), sampleModelRequest({ json_schema: schema }));
    assert.partialDeepStrictEqual(openai.last().body.response_format, {
      type: 'json_schema',
      json_schema: { schema, strict: is },
    });
    await hear(at('openai', openai.url, { api: 'responses' }), sampleModelRequest({ json_schema: schema }));
    assert.partialDeepStrictEqual(openai.last().body.text.format, { type: 'json_schema', strict: is });
  }
});

test('tool_choice reaches each provider in its own format', async () => {
  const choices = { required: 'required', named: { tool: 'weather' } } as const;
  const heardBy = async (model: Parameters<typeof hear>[0], tool_choice: 'required' | { tool: string }) =>
    hear(model, sampleModelRequest({ tools: [weather], tool_choice }));
  await heardBy(compatible(), choices.required);
  assert.equal(openai.last().body.tool_choice, 'required');
  await heardBy(compatible(), choices.named);
  assert.deepEqual(openai.last().body.tool_choice, { type: 'function', function: { name: 'weather' } });
  await heardBy(at('openai', openai.url, { api: 'responses' }), choices.named);
  assert.deepEqual(openai.last().body.tool_choice, { type: 'function', name: 'weather' });
  await heardBy(at('anthropic', anthropic.url), choices.required);
  assert.partialDeepStrictEqual(anthropic.last().body.tool_choice, { type: 'any' });
  await heardBy(at('anthropic', anthropic.url), choices.named);
  assert.partialDeepStrictEqual(anthropic.last().body.tool_choice, { type: 'tool', name: 'weather' });
  await heardBy(at('google', google.url), choices.named);
  assert.partialDeepStrictEqual(google.last().body.toolConfig.functionCallingConfig, {
    mode: 'ANY',
    allowedFunctionNames: ['weather'],
  });
});

test('a server that takes no response_format is asked without it', async () => {
  const model = compatible();
  openai.reply({ status: 400, error: "Unknown parameter: 'response_format'." }, { text: '{"a":"b"}' });
  const { text, warnings } = await hear(model, sampleModelRequest({ json_object: true }));
  assert.equal(openai.requests.at(-2)?.body.response_format.type, 'json_object');
  assert.deepEqual([openai.last().body.response_format, text], [undefined, '{"a":"b"}']);
  assert.ok(warnings.some((warning) => warning.includes('response_format was left out')));
});

test('a tool is strict where the caller wants it and its schema allows it', async () => {
  const strict = { ...weather.input_schema, additionalProperties: false };
  const tools = [
    { ...weather, input_schema: strict, strict: true },
    { ...weather, name: 'loose', strict: true },
    { ...weather, name: 'other', input_schema: strict },
  ];
  await hear(compatible(), sampleModelRequest({ tools }));
  const sent = openai.last().body.tools.map(({ function: { strict: is } }: { function: { strict?: boolean } }) => is);
  assert.deepEqual(sent, [true, undefined, undefined]);
});

test('leaves a refused setting out for the life of the model, with a warning', async () => {
  const model = compatible();
  openai.reply({ status: 400, error: '"test-model" does not support thinking' });
  openai.reply({
    status: 400,
    error: "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens'.",
  });
  openai.reply({ text: 'fine' });
  const count = openai.requests.length;
  const { text, warnings } = await hear(model, sampleModelRequest({ reasoning: 'low' }));
  assert.equal(text, 'fine');
  assert.equal(openai.requests.length, count + 3);
  assert.deepEqual([openai.last().body.reasoning_effort, openai.last().body.max_completion_tokens], [undefined, 321]);
  assert.equal(warnings.length, 2);
  await hear(model, sampleModelRequest({ reasoning: 'low' }));
  assert.equal(openai.requests.length, count + 4);

  openai.reply({ status: 400, error: 'This model does not support tools' });
  await assert.rejects(hear(model, sampleModelRequest({ tools: [weather] })), /does not support tools/);
});

test('reports an overloaded provider by its own status', async () => {
  const model = at('anthropic', anthropic.url);
  anthropic.reply({ status: 529, error: 'Overloaded' });
  await assert.rejects(
    hear(model, sampleModelRequest()),
    (error) => error instanceof ModelError && error.status === 529,
  );
});

test('a redirect is not followed: the key would go with it', async () => {
  openai.reply({ status: 307, headers: { location: `${anthropic.url}/elsewhere` } });
  const before = anthropic.requests.length;
  await assert.rejects(
    hear(compatible(), sampleModelRequest()),
    (error) => error instanceof ModelError && !error.status,
  );
  assert.equal(anthropic.requests.length, before);
});

test('speaks the protocol of google', async () => {
  const model = at('google', google.url);
  google.reply({
    reasoning: 'hm',
    text: 'Hello',
    tool_calls: [{ name: 'weather', input: { city: 'Oslo' } }],
    usage: { cached: 3, reasoning: 2 },
  });
  const request = sampleModelRequest({ ...everything, model: 'gemini-2.5-flash', max_tokens: 9000 });
  const heard = await hear(model, request);
  assert.deepEqual([heard.reasoning, heard.text, heard.calls[0]?.input], ['hm', 'Hello', { city: 'Oslo' }]);
  assert.partialDeepStrictEqual(heard.finish, {
    reason: 'tool-calls',
    usage: { input_tokens: 11, cached_tokens: 3, output_tokens: 7, reasoning_tokens: 2 },
  });
  const { path, body, headers } = google.last();
  assert.equal(path, '/v1/models/gemini-2.5-flash:streamGenerateContent');
  assert.equal(headers['x-goog-api-key'], 'k-123');
  assert.partialDeepStrictEqual(body.generationConfig, {
    maxOutputTokens: 9000,
    temperature: 0.6,
    topP: 0.9,
    topK: 40,
    stopSequences: ['END'],
  });
  assert.ok(body.generationConfig.thinkingConfig.thinkingBudget > 0);
  google.reply({ status: 429, error: 'Slow down', headers: { 'retry-after': '2' } });
  await assert.rejects(hear(model, request), (error) => error instanceof ModelError && error.retry_after_ms === 2000);
});

test('speaks the protocol of mistral', async () => {
  openai.reply({ text: 'Bonjour' });
  const heard = await hear(
    at('mistral', openai.url),
    sampleModelRequest({ ...everything, model: 'mistral-small-latest' }),
  );
  assert.equal(heard.text, 'Bonjour');
  assert.partialDeepStrictEqual(openai.last().body, {
    max_tokens: 321,
    temperature: 0.6,
    top_p: 0.9,
    parallel_tool_calls: false,
    presence_penalty: 0.3,
  });
});

test('calls azure by its Responses API, or its deployments when a dated version is given', async () => {
  openai.reply({ text: 'Hello' }, { text: 'Hello' });
  assert.equal((await hear(at('azure', openai.url), sampleModelRequest())).text, 'Hello');
  assert.deepEqual([openai.last().path, openai.last().headers['api-key']], ['/v1/responses', 'k-123']);
  const dated = at('azure', openai.url, { api_version: '2024-10-21' });
  assert.equal((await hear(dated, sampleModelRequest({ model: 'my-deployment' }))).text, 'Hello');
  assert.equal(openai.last().path, '/v1/deployments/my-deployment/chat/completions');
});

test('signs requests to bedrock and reads its answers', async () => {
  const bedrock = await bedrockProvider({ text: 'Hello' });
  const keys = { api_key: null, region: 'eu-west-1', access_key_id: 'AKIAEXAMPLE', secret_access_key: 'aws-secret' };
  const model = at('bedrock', bedrock.url, keys);
  const heard = await hear(model, sampleModelRequest({ model: 'amazon.nova-lite-v1:0', stop_sequences: ['END'] }));
  assert.equal(heard.text, 'Hello');
  assert.partialDeepStrictEqual(heard.finish, { reason: 'stop', usage: { input_tokens: 11, output_tokens: 7 } });
  const [request] = bedrock.requests;
  assert.match(request?.headers.authorization, /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d+\/eu-west-1\/bedrock/);
  assert.partialDeepStrictEqual(request?.body.inferenceConfig, {
    maxTokens: 321,
    temperature: 0.6,
    stopSequences: ['END'],
  });
  await bedrock.close();

  const refusing = await bedrockProvider({ status: 403, error: 'The key AKIAEXAMPLE is not known' });
  await assert.rejects(hear(at('bedrock', refusing.url, keys), sampleModelRequest()), (error) => {
    assert.ok(error instanceof ModelError && error.status === 403);
    assert.equal(error.message.includes('AKIAEXAMPLE'), false);
    return true;
  });
  await refusing.close();
});
