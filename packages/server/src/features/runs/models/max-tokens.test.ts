import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { anthropicProvider } from '../../../../test/providers/anthropic-provider.ts';
import { closing, scriptedApp } from '../../../../test/support/scripted-app.ts';
import { aNode, anEdge } from '../../workflows/testing.ts';

const models_file = join(tmpdir(), `limited-models-${process.pid}.json`);
after(() => rmSync(models_file, { force: true }));
const limited = { provider: 'openai-compatible', model: 'two', max_output_tokens: 500, reasoning: false };
writeFileSync(models_file, JSON.stringify([limited]));
const app = await scriptedApp({ models_file, roles: ['http', 'worker'] });
const { call } = app;

/** The result of a workflow of one text node with this config. */
async function generate(node_config: object) {
  const nodes = [
    aNode('in', 'InputNode', { label: 'Question' }),
    aNode('text', 'TextGenerationNode', { template: '((Question))', ...node_config }),
    aNode('out', 'OutputNode', { label: 'Answer' }),
  ];
  const edges = ['in.output -> text.variables[Question]', 'text.output -> out.input'].map(anEdge);
  const made = await call('POST', '/v1/workflows', { name: 'Text', definition: { nodes, edges } });
  assert.equal(made.status, 200, made.text);
  const { json } = await call('POST', `/v1/workflows/${made.json.id}/runs/sync`, { input: { Question: 'Why?' } });
  return json;
}

suite('max_tokens', () => {
  test('is lowered to the known limit of the model, with a warning, and not above what was asked for', async () => {
    const { server, name } = await app.provider();
    const model = [`${name}/two`];
    const seen = await app.ask({ model, max_tokens: 900 });
    assert.equal(server.last().body.max_tokens, 500);
    assert.deepEqual(seen.metadata.warnings, ['max_tokens_lowered: 900 tokens were asked for, two writes at most 500']);
    const warning = seen.events.find(({ type }) => type === 'warning');
    assert.equal(warning?.type === 'warning' && warning.code, 'max_tokens_lowered');

    assert.deepEqual((await app.ask({ model, max_tokens: 500 })).metadata.warnings, []);
    assert.equal(server.last().body.max_tokens, 500);
    // The default of 64,000 tokens is no wish of the caller.
    assert.deepEqual((await app.ask({ model })).metadata.warnings, []);
    assert.equal(server.last().body.max_tokens, 500);
  });

  test('is sent by a workflow node as asked for, and lowered with a warning of the run', async () => {
    const { server, name } = await app.provider();
    const whole = await generate({ model: [`${name}/one`], max_tokens: 150_000 });
    assert.deepEqual([whole.status, server.last().body.max_tokens], ['completed', 150_000]);
    assert.equal(whole.progress_details.warnings, undefined);
    const lowered = await generate({ model: [`${name}/two`], max_tokens: 900 });
    assert.equal(server.last().body.max_tokens, 500);
    assert.equal(lowered.progress_details.warnings.text[0].code, 'max_tokens_lowered');
  });

  test('is lowered to the limit that a server states when it refuses more, and the limit is remembered', async () => {
    const { server, name } = await app.provider();
    const refusal = 'max_tokens is too large: 90000. This model supports at most 8192 completion tokens.';
    server.reply({ status: 400, error: refusal });
    const settings = { model: [`${name}/one`], max_tokens: 90_000 };
    for (const requests of [2, 3]) {
      const seen = await app.ask(settings);
      assert.deepEqual(
        [seen.status, server.requests.length, server.last().body.max_tokens],
        ['completed', requests, 8192],
      );
      assert.deepEqual(seen.metadata.warnings, [
        'max_tokens_lowered: 90000 tokens were asked for, one writes at most 8192',
      ]);
    }
    // What is left of a context window holds for one request only.
    const full =
      "This model's maximum context length is 4096 tokens. However, you requested 8192 tokens (96 in the messages, 8192 in the completion).";
    server.reply({ status: 400, error: full });
    await app.ask(settings);
    assert.equal(server.last().body.max_tokens, 4000);
    await app.ask(settings);
    assert.equal(server.last().body.max_tokens, 8192);
  });
});

suite('reasoning', () => {
  test('has a budget inside max_tokens, lowered with a warning, and none below the smallest', async () => {
    const claude = await closing(anthropicProvider());
    const name = await app.account([claude.url], 'anthropic');
    const ask = async (max_tokens: number, reasoning_effort: string) => {
      const settings = { max_tokens, reasoning_effort, temperature: 0.7 };
      const { metadata } = await app.ask({ model: [`${name}/claude-sonnet-4-5`], ...settings });
      const { max_tokens: sent, thinking } = claude.last().body;
      const warned = metadata.warnings.filter((warning) => warning.startsWith('reasoning_lowered'));
      return [sent, thinking?.type, thinking?.budget_tokens, warned.length];
    };
    assert.deepEqual(await ask(64_000, 'High'), [64_000, 'enabled', 38_400, 0]);
    assert.deepEqual(await ask(20_000, 'Low'), [20_000, 'enabled', 6_400, 0]);
    assert.deepEqual(await ask(5_000, 'Low'), [5_000, 'enabled', 3_000, 1]);
    assert.deepEqual(await ask(1_000, 'Low'), [1_000, 'disabled', undefined, 1]);
  });

  test('is not asked of a model that is known not to reason', async () => {
    const { server, name } = await app.provider();
    const model = [`${name}/two`];
    assert.deepEqual((await app.ask({ model })).metadata.warnings, []);
    assert.ok(!('reasoning_effort' in server.last().body));
    const asked = await app.ask({ model, reasoning_effort: 'High' });
    assert.ok(!('reasoning_effort' in server.last().body));
    assert.deepEqual(asked.metadata.warnings, ['reasoning_effort was left out: two does not reason']);
  });
});

suite('a reply that ends at max_tokens', () => {
  const cut = { text: 'Once upon a', finish: 'length' as const };

  /** Makes a conversation whose next replies are cut. */
  async function cutting(settings: object = {}) {
    const { server, name } = await app.provider();
    server.answers = () => cut;
    return `/v1/conversations/${await app.converse({ model: [`${name}/one`], max_tokens: 50, ...settings })}`;
  }
  const framesOf = (text: string) =>
    [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data as string));

  test('has a warning and its finish_reason in the stored message, in the answer of /chat and in the run', async () => {
    const path = await cutting();
    const { json } = await call('POST', path, { content: 'Tell me' });
    const { metadata } = json.messages.at(-1);
    assert.deepEqual([json.status, metadata.finish_reason], ['completed', 'length']);
    assert.match(metadata.warnings.join(), /^reply_cut: /);
    const chat = await call('POST', `${path}/chat`, { content: 'Tell me' });
    const { metadata: told } = chat.json.parts.at(-1);
    assert.deepEqual([told.finish_reason, told.warnings], ['length', metadata.warnings]);
    const run = await call('GET', `/v1/runs/${told.run_id}/events`);
    assert.equal(framesOf(run.text).at(-1).data.finish_reason, 'length');
  });

  test('ends every stream of a conversation with the reason length', async () => {
    for (const format of ['', '?format=ui', '?format=vercel', '?format=json']) {
      const { text } = await call('POST', `${await cutting()}/stream${format}`, { content: 'Tell me' });
      const frames = framesOf(text).map((frame) => (frame.event ? { type: frame.event, ...frame.data } : frame));
      assert.equal(frames.find(({ type }) => type === 'finish')?.finishReason, 'length', format);
      assert.equal(frames.find(({ type }) => type === 'data-warning')?.data.code, 'reply_cut', format);
    }
  });

  test('ends a completion with the reason length and a warning, streamed or not', async () => {
    const { server, name } = await app.provider();
    server.answers = () => cut;
    const definition = { model: [`${name}/one`] };
    const { json: agent } = await call('POST', '/v1/agents', { name: 'Teller', definition });
    const body = { model: `agent:${agent.id}`, messages: [{ role: 'user', content: 'Tell me' }] };
    const whole = await call('POST', '/v1/chat/completions', body);
    assert.equal(whole.json.choices[0].finish_reason, 'length');
    assert.match(whole.json.warnings.join(), /^reply_cut: /);
    const { text } = await call('POST', '/v1/chat/completions', { ...body, stream: true });
    const frames = framesOf(text);
    assert.deepEqual(frames.at(-1).warnings, whole.json.warnings);
    const chunks = frames.map(({ choices }) => choices[0]);
    assert.deepEqual(
      [chunks.at(-1).finish_reason, chunks.map(({ delta }) => delta.content ?? '').join('')],
      ['length', 'Once upon a'],
    );
  });

  test('has a warning in the workflow run, and in the reply of a flow', async () => {
    const { server, name } = await app.provider();
    server.answers = () => cut;
    const run = await generate({ model: [`${name}/one`], max_tokens: 50 });
    assert.equal(run.status, 'completed');
    assert.deepEqual(
      run.progress_details.warnings.text.map(({ code }: { code: string }) => code),
      ['reply_cut'],
    );
    const nodes = [
      aNode('start', 'AgentStartNode'),
      aNode('chat', 'ChatAgentNode', { instructions: 'Tell', model: [`${name}/one`] }),
      aNode('end', 'AgentEndNode'),
    ];
    const edges = ['start.message -> chat.message', 'chat.output -> end.message'].map(anEdge);
    const flow = { name: 'Flow', type: 'agent_flow', definition: { nodes, edges } };
    const { json: made } = await call('POST', '/v1/workflows', flow);
    const seen = await app.ask({ model: [`${name}/one`], agentflow_enabled: true, agent_flow_id: made.id });
    assert.deepEqual([seen.status, seen.text, seen.metadata.finish_reason], ['completed', 'Once upon a', 'length']);
    assert.match(seen.metadata.warnings.join(), /^reply_cut: /);
  });

  test('is told to the agent that has asked a co-worker', async () => {
    const { server, name } = await app.provider();
    const definition = { model: [`${name}/one`], pii_anonimization: [] };
    const { json: helper } = await call('POST', '/v1/agents', { name: 'Helper', definition });
    server.reply({ tool_calls: [{ name: 'coworker_Helper', input: { message: 'Tell me' } }] }, cut, { text: 'Cut.' });
    await app.ask({ ...definition, coworkers: [helper.id] });
    const { messages } = server.last().body as { messages: { role: string; content: string }[] };
    const result = JSON.parse(messages.findLast(({ role }) => role === 'tool')?.content ?? '{}');
    assert.deepEqual([result.reply, result.finish_reason], ['Once upon a', 'length']);
  });

  test('has no warning when the model came to its end', async () => {
    const { name } = await app.provider();
    const { metadata } = await app.ask({ model: [`${name}/one`] });
    assert.deepEqual([metadata.finish_reason, metadata.warnings], ['stop', []]);
  });
});
