import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testApp } from '../../../../test/support/test-app.ts';
import { databaseOf, makeSay } from '../testing.ts';

const testing = await testApp();
const { call, workspace } = testing;
const say = makeSay(await databaseOf(testing));

async function place(permissions?: string[]) {
  const own = await workspace(permissions);
  const as = async (method: string, path: string, body?: unknown) => {
    const answer = await call(method, path, body, { key: own.key });
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  };
  return {
    ...own,
    as,
    summaries: async (more = '') => (await as('GET', `/v1/conversations?view=summary${more}`)).items,
  };
}

test('a summary has the agent, the last line, the number of messages and the channel', async () => {
  const { as, summaries } = await place();
  const agent = await as('POST', '/v1/agents', { name: 'Support', image_url: 'https://a.example/face.png' });
  const conversation = await as('POST', `/v1/conversations?assistant_id=${agent.id}`, { name: 'Order 1042' });
  await say(conversation, 'user', 'Where is my order?');
  await say(
    conversation,
    'assistant',
    { role: 'assistant', type: 'reasoning', content: 'the customer asks' },
    { role: 'function', type: 'function', content: '{"secret": 1}' },
    { role: 'assistant', type: 'text', content: 'for the operator', advice: true },
    { role: 'assistant', type: 'text', content: 'It is **on its way**,\nand comes\tMonday.' },
  );
  const { id, created_at } = conversation;
  const [{ last_updated_at, ...item }] = await summaries();
  assert.ok(last_updated_at >= created_at);
  assert.deepEqual(item, {
    ...{ id, created_at, name: 'Order 1042', status: 'queued', is_locked: false, manual: false, channel: null },
    agent: { id: agent.id, name: 'Support', image_url: 'https://a.example/face.png' },
    ...{ message_count: 2, last_line: 'It is on its way, and comes Monday.', last_role: 'assistant' },
    ...{ waiting_approvals: 0, waiting_questions: 0, tags: [], pinned: false, archived: false, unread: false },
  });
});

test('a summary counts the approvals that wait', async () => {
  const { as, summaries } = await place();
  const settings = { model: ['atrium/extractive'], tools: [{ type: 'clock', requires_approval: true }] };
  const { id } = await as('POST', '/v1/conversations', { settings });
  await as('POST', `/v1/conversations/${id}`, { content: 'now', tool: 'clock_now' });
  const [waiting] = await summaries();
  assert.deepEqual(
    [waiting.status, waiting.waiting_approvals, waiting.waiting_questions, waiting.agent],
    ['awaiting_human_feedback', 1, 0, null],
  );
  const { items } = await as('GET', `/v1/conversations/${id}/approvals`);
  await as('POST', `/v1/conversations/${id}/approvals/${items[0].id}`, { decision: 'approve' });
  assert.equal((await summaries())[0].waiting_approvals, 0);
});

test('a summary shows the message that an edit has left as the newest', async () => {
  const { as, summaries } = await place();
  const conversation = await as('POST', '/v1/conversations', {});
  await say(conversation, 'user', 'first');
  const replaced = await say(conversation, 'user', 'replaced');
  await testing.query('update messages set superseded_by = id where id = $1', [replaced]);
  assert.equal((await summaries())[0].last_line, 'first');
});

test('summaries keep to the filters and to the workspace, and a long text is cut', async () => {
  const { as, summaries } = await place();
  const other = await place();
  const conversation = await as('POST', '/v1/conversations', { name: `long ${'x'.repeat(400)}` });
  await say(conversation, 'user', 'y'.repeat(5000));
  const [item] = await summaries('&search=long');
  assert.ok(item.name.endsWith('…') && item.last_line.endsWith('…') && JSON.stringify(item).length < 600);
  assert.deepEqual(await summaries('&search=short'), []);
  assert.deepEqual(await other.summaries(), []);
});
