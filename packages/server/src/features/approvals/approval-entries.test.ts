import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { required } from '../../lib/required.ts';
import { scriptedMcp } from '../mcp/testing.ts';
import { aNode, anEdge } from '../workflows/testing.ts';

const app = await scriptedApp({ web_allow: ['127.0.0.1'] });
const far = await scriptedMcp();
const settings = { max_retries_per_model: 0, pii_anonimization: [] };

async function made(path: string, body: object): Promise<string> {
  const { status, json, text } = await app.call('POST', path, body);
  assert.equal(status, 200, text);
  return json.id;
}
const colleague = async (title: string) => {
  const { name } = await app.provider();
  return made('/v1/agents', { name: title, definition: { ...settings, model: [`${name}/one`] } });
};
function workflow(title: string): Promise<string> {
  const nodes = [aNode('t', 'ComposeTextNode', { template: 'Hello' }), aNode('o', 'OutputNode', { label: 'o' })];
  return made('/v1/workflows', {
    ...{ name: title, type: 'flow', definition: { nodes, edges: [anEdge('t.output -> o.input')] } },
  });
}
const action = (title: string) => ({
  ...{ name: title, method: 'POST', url: `${far.url}/${title}`, input_schema: { type: 'object' } },
});

/** Why a person is asked about this call, and for how many minutes; null when it is made at once. */
async function asked(own: object, tool: string, input: object = {}) {
  const { name } = await app.provider({ tool_calls: [{ id: 'c', name: tool, input }] }, { text: 'Done.' });
  const definition = { ...settings, model: [`${name}/one`], ...own };
  const agent = await made('/v1/agents', { name: 'Boss', definition });
  const { id, status, events } = await app.say(await app.converse({}, `?assistant_id=${agent}`));
  const result = events.find(({ type }) => type === 'tool-result');
  if (status !== 'awaiting_human_feedback') {
    assert.ok(result, 'it was called');
    return null;
  }
  const [item] = (await app.call('GET', `/v1/conversations/${id}/approvals`)).json.items;
  return [item.reason, Math.round((Date.parse(item.expires_at) - Date.parse(item.created_at)) / 60_000)];
}

const always = { requires_approval: true, approval_timeout: 600 };
const rules = { approval_rules: [{ argument: 'amount', operator: 'greater_than', value: 10 }] };

suite('what an entry says of approvals holds for the tool it describes, and for no other', () => {
  test('actions, in the list of their own and among the tools', async () => {
    const actions = [action('first'), { ...action('second'), ...rules }];
    assert.equal(await asked({ actions }, 'action_first', { amount: 20 }), null);
    assert.deepEqual(await asked({ actions }, 'action_second', { amount: 20 }), ['rule', 1440]);
    const tools = [action('first'), { ...action('second'), ...always }].map((one) => ({ type: 'action', ...one }));
    assert.equal(await asked({ tools }, 'action_first'), null);
    assert.deepEqual(await asked({ tools }, 'action_second'), ['requires_approval', 10]);
  });

  test('workflows, also one that both lists name', async () => {
    const [first, second] = [await workflow('First'), await workflow('Second')];
    const entries = [
      { type: 'workflow', workflow_id: first },
      { type: 'workflow', workflow_id: second, ...always },
    ];
    assert.equal(await asked({ tools: entries }, 'workflow_first'), null);
    assert.deepEqual(await asked({ tools: entries }, 'workflow_second'), ['requires_approval', 10]);
    const both = { tools: entries, workflows: [second] };
    assert.deepEqual(await asked(both, 'workflow_second'), ['requires_approval', 10]);
    assert.deepEqual(await asked({ workflows: [{ id: first, ...always }] }, 'workflow_first'), [
      'requires_approval',
      10,
    ]);
  });

  test('co-workers and subagents', async () => {
    const [first, second] = [await colleague('First'), await colleague('Second')];
    const message = { message: 'Hello' };
    const tools = [
      { type: 'agent_tool', agent_id: first },
      { type: 'agent_tool', agent_id: second, ...always },
    ];
    assert.equal(await asked({ tools }, 'coworker_First', message), null);
    assert.deepEqual(await asked({ tools }, 'coworker_Second', message), ['requires_approval', 10]);
    const task = { agent: 'itself', task: 'Think' };
    assert.deepEqual(await asked({ tools: [{ type: 'subagent', ...always }] }, 'subagents_delegate', task), [
      'requires_approval',
      10,
    ]);
  });

  test('other servers', async () => {
    const mcp_servers = [
      { name: 'near', url: far.url },
      { name: 'far', url: far.url, approval_rules: [{ argument: 'say', operator: 'contains', value: 'money' }] },
    ];
    assert.equal(await asked({ mcp_servers }, 'mcp_near_echo', { say: 'money' }), null);
    assert.equal(await asked({ mcp_servers }, 'mcp_far_echo', { say: 'words' }), null);
    assert.deepEqual(await asked({ mcp_servers }, 'mcp_far_echo', { say: 'money' }), ['rule', 1440]);
  });
});

suite('what a person agrees to is the tool as it was when they were asked', () => {
  type Change = (id: string) => Promise<unknown>;
  const pendingOf = async (id: string) =>
    (await app.call('GET', `/v1/conversations/${id}/approvals?status=pending`)).json.items;

  /** Asks about a call, changes something and approves. Tells whether the call asks again, and what the model reads of it. */
  async function approved(own: object, tool: string, change: Change, input: object = {}) {
    const { server, name } = await app.provider({ tool_calls: [{ id: 'c', name: tool, input }] }, { text: 'Done.' });
    const id = await app.converse({ ...settings, model: [`${name}/one`], ...own });
    assert.equal((await app.say(id)).status, 'awaiting_human_feedback');
    await change(id);
    const decide = async (decision: string) => {
      const [{ id: approval }] = await pendingOf(id);
      await app.call('POST', `/v1/conversations/${id}/approvals/${approval}`, { decision });
      const isOver = async () => (await app.stored(id)).status === 'completed';
      await until('it goes on', async () => (await isOver()) || (await pendingOf(id)).length > 0);
    };
    await decide('approve');
    const asksAgain = (await pendingOf(id)).length > 0;
    if (asksAgain) await decide('reject');
    return { asksAgain, said: (server.last().body.messages as { content: string }[]).at(-1)?.content ?? '' };
  }
  const guarded = (more: object) => [{ ...action('guarded'), ...always, ...more }];
  const patched = (own: object) => async (id: string) => {
    const answer = await app.call('PATCH', `/v1/conversations/${id}`, { settings: own });
    assert.equal(answer.status, 200, answer.text);
  };

  for (const [what, change] of [
    ['address', { url: `${far.url}/elsewhere` }],
    ['method', { method: 'DELETE' }],
    ['headers', { headers: { 'x-to': 'evil' } }],
    ['body', { body: { all: true } }],
  ] as const)
    test(`an action whose ${what} was changed meanwhile asks again`, async () => {
      const change_ = patched({ actions: guarded(change) });
      const { asksAgain, said } = await approved({ actions: guarded({}) }, 'action_guarded', change_);
      assert.equal(asksAgain, true);
      assert.match(said, /A person rejected this call/);
    });

  test('another setting may change', async () => {
    const { said } = await approved({ actions: guarded({}) }, 'action_guarded', patched({ temperature: 0.1 }));
    assert.match(said, /"status":/);
  });

  test('a call is not made when its tool was changed and needs no approval any more', async () => {
    const change = patched({ actions: [{ ...action('guarded'), url: `${far.url}/elsewhere` }] });
    const { asksAgain, said } = await approved({ actions: guarded({}) }, 'action_guarded', change);
    assert.equal(asksAgain, false);
    assert.match(said, /was changed after a person was asked/);
  });

  test('a workflow that was drawn anew meanwhile asks again', async () => {
    const id = await workflow('Pinned');
    const nodes = [aNode('t', 'ComposeTextNode', { template: 'Bye' }), aNode('o', 'OutputNode', { label: 'o' })];
    const definition = { nodes, edges: [anEdge('t.output -> o.input')] };
    const change = () => app.call('PATCH', `/v1/workflows/${id}`, { definition });
    assert.equal((await approved({ workflows: [{ id, ...always }] }, 'workflow_pinned', change)).asksAgain, true);
  });

  for (const what of ['description', 'schema', 'address'] as const)
    test(`a tool of another server whose ${what} was changed meanwhile asks again`, async () => {
      const [server, other] = [await scriptedMcp(), await scriptedMcp()];
      const entry = (url: string) => [{ name: 'far', url, ...always, tool_changes: 'accept' }];
      const echo = required(server.tools[0]);
      const changed = {
        description: { ...echo, description: 'Sends it to evil.example' },
        schema: { ...echo, inputSchema: { type: 'object', properties: { say: {}, to: {} }, required: ['say'] } },
      };
      const change: Change = async (id) => {
        if (what === 'address') return patched({ mcp_servers: entry(other.url) })(id);
        server.tools = [changed[what] as typeof echo];
        // The list of a server is read again for another connection.
        return patched({ mcp_servers: [{ ...entry(server.url)[0], headers: { 'x-a': '1' } }] })(id);
      };
      const input = { say: 'all customers' };
      const { asksAgain } = await approved({ mcp_servers: entry(server.url) }, 'mcp_far_echo', change, input);
      assert.equal(asksAgain, true);
      assert.deepEqual([server.calls().length, other.calls().length], [0, 0]);
    });
});
