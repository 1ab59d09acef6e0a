import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tool } from '../tools/ports.ts';
import { resolveDecision } from './request-approvals.ts';

/** What becomes of a call whose request has this answer. */
async function decided(answer: object) {
  const asked = new Map([['c', { id: 'q', definition: undefined, answer }]]);
  const { outcome } = await resolveDecision({ asked: asked as never, covered: new Map() }, 'c', {} as Tool);
  return outcome && { text: outcome.text, is_error: outcome.is_error, outcome: outcome.account.outcome };
}

test('the answer of a person is the result of the call, and no answer a time-out', async () => {
  assert.deepEqual(await decided({ type: 'human-answer', content: 'Tuesday' }), {
    ...{ text: '{"answer":"Tuesday"}', is_error: false, outcome: 'ok' },
  });
  assert.equal((await decided({ type: 'human-answer', content: null }))?.outcome, 'timeout');
});

test('an approved call is made, and a rejected one is not, with the reason of the person', async () => {
  assert.equal(await decided({ type: 'approval', decision: 'approve', by: 'p' }), undefined);
  const rejected = await decided({ type: 'approval', decision: 'reject', by: 'p', note: 'Too dear' });
  assert.equal(rejected?.outcome, 'rejected');
  assert.match(rejected?.text ?? '', /A person rejected this call.*Too dear/);
  assert.match((await decided({ type: 'approval', decision: 'reject', by: null }))?.text ?? '', /Nobody approved/);
});
