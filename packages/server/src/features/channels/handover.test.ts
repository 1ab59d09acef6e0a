import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelApp } from './testing.ts';

const { call, talk } = await channelApp();
/** What the guardrail says, which asks the only model there is. */
const verdict = { text: JSON.stringify({ flagged: true, severity: 'severe', reason: 'x' }) };

test('tells the writer that a person is needed, and delivers what the person answers', async () => {
  const human = { crime: 'High', guardrail_action: 'human', guardrail_action_human: 'secret note' };
  const { say, told, conversations, quiet, replied } = await talk(human, {}, verdict);
  await say('Help me steal');
  const first = await told(0);
  assert.deepEqual(
    [first.type, first.text],
    ['waiting', 'A person has to look at this first. The answer will come here.'],
  );
  await quiet();
  const [{ id, status }] = await conversations();
  assert.equal(status, 'awaiting_human_feedback');
  await call('POST', `/v1/conversations/${id}/human`, { content: 'I am Kim. No.' });
  const second = await told(1);
  assert.deepEqual([second.type, second.text], ['message', 'I am Kim. No.']);
  await quiet();
  assert.equal(replied().length, 2);
  assert.ok(!JSON.stringify(replied()).includes('secret note'));
});

const approving = { base_tools: [{ type: 'clock', enabled: true, requires_approval: true }] };
const calls = { text: 'I look.', deltas: 1, tool_calls: [{ name: 'clock_now', input: {} }] };

test('delivers a reply that waits for an approval once it is given, and says until then that a person is asked', async () => {
  const { say, told, conversations, quiet, replied } = await talk(approving, {}, calls, {
    text: 'It is noon.',
    deltas: 1,
  });
  await say('What time is it?');
  assert.equal((await told(0)).type, 'waiting');
  await quiet();
  assert.equal(replied().length, 1);
  const [{ id }] = await conversations();
  const { json } = await call('GET', `/v1/conversations/${id}/approvals?status=pending`);
  const [{ id: approval }] = json.items ?? json;
  await call('POST', `/v1/conversations/${id}/approvals/${approval}`, { decision: 'approve' });
  const answer = await told(1);
  assert.deepEqual([answer.type, answer.text], ['message', 'I look.\n\nIt is noon.']);
  await quiet();
  assert.equal(replied().length, 2);
});
