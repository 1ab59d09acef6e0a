import assert from 'node:assert/strict';
import { test } from 'node:test';
import { channelApp } from './testing.ts';

const { call, talk } = await channelApp();
/** What the guardrail says, which asks the only model there is. */
const verdict = { text: JSON.stringify({ flagged: true, severity: 'severe', reason: 'x' }) };

test('who writes is told that a person is needed, and gets what the person answers', async () => {
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
