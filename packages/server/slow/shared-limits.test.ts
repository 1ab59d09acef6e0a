import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { aNode, anEdge } from '../src/features/workflows/testing.ts';
import { scriptedApp } from '../test/support/scripted-app.ts';

const app = await scriptedApp({ max_runs: 400, max_runs_per_workspace: 400 });
const clients = 64;

interface Asked {
  messages: { role: string; content: string }[];
  max_tokens: number;
}

/** A provider that uses all it is granted in every third call, and counts what it has used in all. */
async function spender(plan: (body: Asked, call: number) => { tool_calls: object[] } | undefined) {
  const { server, name } = await app.provider();
  const spent = { tokens: 0, calls: 0 };
  server.answers = (body) => {
    const asked = body as Asked;
    const call = spent.calls++;
    const input = Math.floor(JSON.stringify(asked.messages).length / 8);
    const output = call % 3 === 0 ? asked.max_tokens : Math.min(asked.max_tokens, 50 + (call % 7) * 40);
    spent.tokens += input + output;
    const usage = { input, output };
    return { ...(plan(asked, call) ?? { text: 'Done.' }), usage } as ReturnType<NonNullable<typeof server.answers>>;
  };
  return { server, spent, model: [`${name}/one`] };
}

const plain = { top_k: 0, max_retries_per_model: 0, pii_anonimization: [], max_tokens: 400 };

async function agent(name: string, definition: object): Promise<string> {
  const { json, text, status } = await app.call('POST', '/v1/agents', {
    name,
    definition: { ...plain, ...definition },
  });
  assert.equal(status, 200, text);
  return json.id;
}

const account = async (id: string) =>
  (
    await app.query('select tokens_used::int, tokens_reserved::int, run_calls from conversations where id = $1', [id])
  )[0];

/** Sends one message for each client at once; answers how many were taken. */
async function sendAll(id: string): Promise<number> {
  const path = `/v1/conversations/${id}/chat?if_running=enqueue`;
  const answers = await Promise.all(
    Array.from({ length: clients }, (_, at) => app.call('POST', path, { content: `Client ${at} says go` })),
  );
  for (const { status, json } of answers)
    if (status !== 200) assert.deepEqual([status, json.code], [409, 'usage_limit_reached']);
  return answers.filter(({ status }) => status === 200).length;
}

/** Waits until nothing of a conversation runs, nor of those that it asked. */
async function quiet(): Promise<void> {
  for (let look = 0; look < 3000; look++) {
    const [{ count }] = await app.query('select count(*)::int as count from runs where finished_at is null');
    if (count === 0) return;
    await sleep(20);
  }
  assert.fail('Runs are still going on');
}

const answered = ({ messages }: Asked) => messages.at(-1)?.role === 'tool';

test('64 clients spend one token limit over subagents and pass it by no token', async () => {
  const most = 30_000;
  const { spent, model } = await spender((body) => {
    if (answered(body) || !body.messages.at(-1)?.content.includes('says go')) return undefined;
    const tool_calls = Array.from({ length: 6 }, (_, at) => ({
      ...{ id: `c${at}`, name: 'subagents_delegate', input: { agent: 'Helper', task: `Part ${at}` } },
    }));
    return { tool_calls };
  });
  const helper = await agent('Helper', { model });
  const boss = await agent('Boss', {
    ...{ model, subagents_enabled: true, subagents: [{ id: helper }] },
    ...{ usage_limits_maximum_tokens: most, usage_limits_max_messages: 1000 },
  });
  const id = await app.converse({}, `?assistant_id=${boss}`);
  const taken = await sendAll(id);
  await quiet();
  const { tokens_used, tokens_reserved } = await account(id);
  assert.ok(taken >= 1);
  assert.ok(spent.tokens <= most, `${spent.tokens} of ${most}`);
  assert.deepEqual([tokens_used, tokens_reserved], [spent.tokens, 0]);
  // The limit was really reached.
  const over = await app.query("select count(*)::int as runs from runs where error ->> 'code' = 'usage_limit_reached'");
  assert.ok(spent.tokens > most / 2 && over[0].runs > 0, `${spent.tokens} of ${most}`);
});

test('64 clients spend one token limit over a flow whose nodes ask models and agents side by side', async () => {
  const most = 20_000;
  const { spent, model } = await spender(() => undefined);
  const helper = await agent('Flow helper', { model });
  const writers = Array.from({ length: 6 }, (_, at) =>
    aNode(`write${at}`, 'TextGenerationNode', { template: `Write ${at}`, model, max_tokens: 300 }, { retries: 0 }),
  );
  const nodes = [
    ...[aNode('start', 'AgentStartNode'), aNode('end', 'AgentEndNode'), ...writers],
    aNode('ask', 'AgentCallNode', { agent_id: helper }, { retries: 0 }),
  ];
  const edges = ['start.message -> ask.message', 'ask.output -> end.message'].map(anEdge);
  const flow = await app.call('POST', '/v1/workflows', {
    ...{ name: 'Spends', type: 'agent_flow', definition: { nodes, edges } },
  });
  assert.ok(flow.json.id, flow.text);
  const id = await app.converse({
    ...plain,
    ...{ model, agentflow_enabled: true, agent_flow_id: flow.json.id, usage_limits_maximum_tokens: most },
    usage_limits_max_messages: 1000,
  });
  const taken = await sendAll(id);
  await quiet();
  const { tokens_used, tokens_reserved } = await account(id);
  assert.ok(taken >= 1 && spent.calls > 14, `${taken} ${spent.calls}`);
  assert.ok(spent.tokens <= most, `${spent.tokens} of ${most}`);
  assert.deepEqual([tokens_used, tokens_reserved], [spent.tokens, 0]);
  assert.ok(spent.tokens > most - 2000, `${spent.tokens} of ${most}`);
});

test('clients that go on with conversations of co-workers spend the limit of the conversation that began them', async () => {
  const most = 40_000;
  const { spent, model } = await spender((body) => {
    if (answered(body) || !body.messages.at(-1)?.content.includes('Begin')) return undefined;
    const tool_calls = Array.from({ length: 16 }, (_, at) => ({
      ...{ id: `c${at}`, name: 'coworker_Expert', input: { message: `Question ${at}` } },
    }));
    return { tool_calls };
  });
  const expert = await agent('Expert', { model });
  const boss = await agent('Boss with experts', {
    ...{ model, coworkers: [expert], usage_limits_maximum_tokens: most },
  });
  const id = await app.converse({}, `?assistant_id=${boss}`);
  await app.say(id, 'Begin');
  const children = await app.query('select id from conversations where charged_to = array[$1::uuid]', [id]);
  assert.equal(children.length, 16);
  await Promise.all(
    Array.from({ length: clients }, (_, at) =>
      app.call('POST', `/v1/conversations/${children[at % 16].id}/chat?if_running=enqueue`, { content: 'More' }),
    ),
  );
  await quiet();
  const { tokens_used, tokens_reserved } = await account(id);
  assert.ok(spent.tokens <= most, `${spent.tokens} of ${most}`);
  assert.deepEqual([tokens_used, tokens_reserved], [spent.tokens, 0]);
});

test('a call that turns out longer than estimated is the last one that passes the limit', async () => {
  const { server, name } = await app.provider();
  const id = await app.converse({ ...plain, model: [`${name}/one`], usage_limits_maximum_tokens: 3000 });
  server.reply({ text: 'Costly', usage: { input: 5000, output: 10 } });
  assert.equal((await app.say(id)).text, 'Costly');
  const refused = await app.call('POST', `/v1/conversations/${id}`, { content: 'Again' });
  assert.deepEqual([refused.status, refused.json.code], [409, 'usage_limit_reached']);
  assert.equal(server.requests.length, 1);
  assert.equal((await account(id)).tokens_used, 5010);
});

test('retries and the calls of subagents count as model calls of the run', async () => {
  const { server, name } = await app.provider();
  server.reply({ status: 500 }, { status: 500 }, { status: 500 });
  const retried = await app.ask({
    ...plain,
    ...{ model: [`${name}/one`], max_retries_per_model: 5, usage_limits_maximum_request: 2 },
  });
  assert.equal(server.requests.length, 2);
  assert.equal(retried.error?.code, 'usage_limit_reached');

  const { spent, model } = await spender((body) =>
    answered(body) || body.messages.at(-1)?.content !== 'Go'
      ? undefined
      : {
          tool_calls: Array.from({ length: 8 }, (_, at) => ({
            ...{ id: `c${at}`, name: 'subagents_delegate', input: { agent: 'Counted', task: 'Do' } },
          })),
        },
  );
  const helper = await agent('Counted', { model });
  const boss = await agent('Counting', {
    ...{ model, subagents_enabled: true, subagents: [{ id: helper }], usage_limits_maximum_request: 5 },
  });
  const id = await app.converse({}, `?assistant_id=${boss}`);
  const { error } = await app.say(id, 'Go');
  assert.equal(spent.calls, 5);
  assert.match(error?.content ?? '', /5 model calls that usage_limits_maximum_request allows/);
});

test('an attempt that broke off counts with what it had said', async () => {
  const { server, name } = await app.provider();
  server.reply({ text: 'word '.repeat(200), drop_after: 3 }, { text: 'Whole', usage: { input: 20, output: 5 } });
  const { id, text } = await app.ask({ ...plain, model: [`${name}/one`], max_retries_per_model: 1 });
  assert.equal(text, 'Whole');
  assert.ok((await account(id)).tokens_used > 25);
});

test('a run that is stopped, fails or waits for a person leaves nothing reserved', async () => {
  const { server, name } = await app.provider();
  const settings = { ...plain, model: [`${name}/one`], usage_limits_maximum_tokens: 5000 };
  server.reply({ text: 'Never', after: new Promise(() => {}) });
  const stopped = await app.converse(settings);
  const going = app.say(stopped);
  for (let look = 0; server.requests.length === 0 && look < 3000; look++) await sleep(10);
  assert.ok((await account(stopped)).tokens_reserved > 0);
  await app.call('POST', `/v1/conversations/${stopped}/stop`);
  assert.equal((await going).status, 'stopped');
  server.reply({ status: 400 });
  const failed = await app.ask(settings);
  assert.equal(failed.status, 'failed');
  server.reply({ tool_calls: [{ id: 'c', name: 'clock_now', input: {} }] });
  const paused = await app.ask({ ...settings, tools: [{ type: 'clock_now', requires_approval: true }] });
  assert.equal(paused.status, 'awaiting_human_feedback');
  for (const id of [stopped, failed.id, paused.id]) assert.equal((await account(id)).tokens_reserved, 0);
});
