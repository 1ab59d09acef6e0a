import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { aNode, anEdge } from '../workflows/testing.ts';

const app = await scriptedApp();
// The only provider: guardrails ask it too.
const { server, name } = await app.provider();
const user = (content: string) => ({ role: 'user', content });
const lookup = (description = 'Looks up', parameters: object = { type: 'object' }) => ({
  ...{ type: 'function', function: { name: 'lookup', description, parameters } },
});

async function agentOn(definition: object) {
  const settings = { model: [`${name}/one`], max_retries_per_model: 0, ...definition };
  const { json } = await app.call('POST', '/v1/agents', { name: 'Agent', definition: settings });
  return (body: object) =>
    app.call('POST', '/v1/chat/completions', { model: `agent:${json.id}`, messages: [user('Hello')], ...body });
}

/** Grades every text with this word in it as bad. */
function judge(word: string) {
  server.answers = ({ response_format, messages }) => {
    if (!response_format) return undefined;
    const severity = JSON.stringify(messages).includes(word) ? 'severe' : 'none';
    return { text: JSON.stringify({ flagged: severity !== 'none', severity, reason: 'As graded' }) };
  };
}

const results = (content: string) => [
  user('Hello'),
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'c1', type: 'function', function: { name: 'lookup', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', content },
];

test('all that a client writes passes the guardrails: system messages, tools, results, schemas', async () => {
  const complete = await agentOn({ prompt_injection: true, guardrail_action: 'fail' });
  judge('SECRETLY');
  const schema = { type: 'object', properties: { a: { description: 'SECRETLY' } } };
  const bodies: [what: string, body: object][] = [
    ['system message', { messages: [{ role: 'system', content: 'SECRETLY obey' }, user('Hello')] }],
    ['description of a tool', { tools: [lookup('SECRETLY obey')] }],
    ['schema of a tool', { tools: [lookup('Looks up', schema)] }],
    ['result of a tool', { messages: results('SECRETLY obey') }],
    ['schema of the answer', { response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } }],
  ];
  for (const [what, body] of bodies) {
    const before = server.requests.length;
    const { status, json } = await complete(body);
    assert.deepEqual([status, json.choices?.[0].finish_reason], [200, 'content_filter'], what);
    assert.match(json.choices[0].message.content, /stopped by a guardrail: prompt_injection/, what);
    const since = server.requests.slice(before);
    assert.ok(since.length > 0 && since.every(({ body }) => body.response_format && !body.tools), `${what} was heard`);
  }
  const fine = await complete({ messages: results('obey nobody') });
  assert.equal(fine.json.choices[0].finish_reason, 'stop');
});

test("a guardrail's refusal is an answer whose reason is content_filter, streamed too", async () => {
  const said: [action: object, words: RegExp][] = [
    [{ guardrail_action: 'fail' }, /The message was stopped by a guardrail: toxicity/],
    [{ guardrail_action: 'replace', guardrail_action_replace: 'Let us be kind.' }, /^Let us be kind\.$/],
  ];
  judge('RUDE');
  for (const [action, words] of said) {
    const complete = await agentOn({ toxicity: 'High', ...action });
    const { status, json } = await complete({ messages: [user('RUDE')] });
    const [{ message, finish_reason }] = json.choices;
    assert.deepEqual([status, finish_reason], [200, 'content_filter']);
    assert.match(message.content, words);
    const { text } = await complete({ messages: [user('RUDE')], stream: true });
    const chunks = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data as string).choices[0]);
    assert.match(chunks.map(({ delta }) => delta.content ?? '').join(''), words);
    assert.equal(chunks.at(-1).finish_reason, 'content_filter');
  }
});

test('calls of client tools that a guardrail objects to reach no client', async () => {
  judge('RUDE');
  for (const guardrails_output_mode of ['pre_stream', 'post_stream']) {
    const complete = await agentOn({
      ...{ toxicity: 'High', guardrails_scan_output: true, guardrail_action: 'fail', guardrails_output_mode },
    });
    for (const stream of [false, true]) {
      const rude = { tool_calls: [{ id: 'c', name: 'lookup', input: { words: 'RUDE' } }] };
      server.reply(rude);
      const { text } = await complete({ tools: [lookup()], stream });
      assert.match(text, /content_filter/);
      assert.doesNotMatch(text, /RUDE|tool_calls/);
    }
  }
});

test("everything that a client writes is anonymized like users' messages", async () => {
  server.answers = undefined;
  const complete = await agentOn({ pii_anonimization: ['EMAIL_ADDRESS'] });
  const schema = { type: 'object', properties: { a: { description: 'Of kim@corp.example' } } };
  await complete({
    messages: [{ role: 'system', content: 'Write to kim@corp.example' }, ...results('From jo@corp.example')],
    tools: [lookup('As ann@corp.example does', schema)],
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
  });
  const { body } = server.last();
  assert.doesNotMatch(JSON.stringify(body), /corp\.example/);
  assert.match(body.messages[0].content, /> Write to <EMAIL_ADDRESS_\d>/);
});

test('an agent that a flow answers for hears the instructions and takes no tools, formats or results', async () => {
  server.answers = undefined;
  const nodes = [
    aNode('start', 'AgentStartNode'),
    aNode('chat', 'ChatAgentNode', { instructions: 'Be kind', model: [`${name}/one`] }),
    aNode('end', 'AgentEndNode'),
  ];
  const edges = ['start.message -> chat.message', 'chat.output -> end.message'].map(anEdge);
  const flow = { name: 'Flow', type: 'agent_flow', definition: { nodes, edges } };
  const made = await app.call('POST', '/v1/workflows', flow);
  assert.equal(made.status, 200, made.text);
  const complete = await agentOn({ agentflow_enabled: true, agent_flow_id: made.json.id });
  const heard = await complete({ messages: [{ role: 'system', content: 'Speak Norwegian.' }, user('Hello')] });
  assert.deepEqual([heard.status, heard.json.choices?.[0].finish_reason], [200, 'stop']);
  assert.match(JSON.stringify(server.last().body.messages), /Be kind.*Speak Norwegian\..*Hello/);
  const refused: [body: object, param: string][] = [
    [{ tools: [lookup()] }, 'tools'],
    [{ response_format: { type: 'json_object' } }, 'response_format'],
    [{ messages: results('1') }, 'messages'],
  ];
  for (const [body, param] of refused) {
    const { status, json } = await complete(body);
    assert.deepEqual([status, json.error.param], [422, param]);
    assert.match(json.error.message, /this agent answers by a flow/);
  }
});
