import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatMessage, Chunk } from './message-types.ts';
import { reduceChunk } from './reduce-chunk.ts';

const empty: ChatMessage = { key: 'k', id: '', role: 'assistant', created_at: '', parts: [], metadata: null };
const read = (...chunks: Chunk[]) => chunks.reduce(reduceChunk, { ...empty, state: 'writing' } as ChatMessage);
const said = (text: string): Chunk[] => [
  { type: 'text-start', id: 't' },
  ...[...text].map((delta) => ({ type: 'text-delta', id: 't', delta })),
  { type: 'text-end', id: 't' },
];

test('puts a text together from its deltas', () => {
  const message = read({ type: 'start', messageId: 'm1' }, { type: 'start-step' }, ...said('Good day'), {
    type: 'finish',
  });
  assert.deepEqual(message.parts, [{ type: 'step-start' }, { type: 'text', text: 'Good day', state: 'done' }]);
  assert.deepEqual([message.id, message.state], ['m1', undefined]);
});

test('begins anew when a stream is sent from its beginning again', () => {
  const message = read(
    { type: 'start', messageId: 'm1' },
    ...said('Good'),
    { type: 'start', messageId: 'm1' },
    ...said('Good day'),
  );
  assert.deepEqual(message.parts, [{ type: 'text', text: 'Good day', state: 'done' }]);
});

test('drops all parts when the server tells it to begin anew', () => {
  const reset = { type: 'data-reset', data: {}, transient: true };
  const first = read({ type: 'start', messageId: 'm1' }, ...said('Lost'), reset);
  assert.deepEqual([first.id, first.parts], ['m1', []]);
  const again = [{ type: 'start', messageId: 'm1' }, ...said('Found')].reduce(reduceChunk, first);
  assert.deepEqual(again.parts, [{ type: 'text', text: 'Found', state: 'done' }]);
});

test('keeps the identity of parts that a chunk does not change', () => {
  const before = read({ type: 'start', messageId: 'm' }, ...said('One'), { type: 'text-start', id: 'u' });
  const after = reduceChunk(before, { type: 'text-delta', id: 'u', delta: 'x' });
  assert.equal(after.parts[0], before.parts[0]);
  assert.notEqual(after.parts[1], before.parts[1]);
  assert.equal(reduceChunk(after, { type: 'data-title', transient: true, data: {} }), after);
});

test('drops what a step said when the step is reset', () => {
  const first = [{ type: 'start', messageId: 'm' }, { type: 'start-step' }, ...said('Kept')];
  const message = read(...first, { type: 'start-step' }, ...said('Gone'), { type: 'reset-step' }, ...said('New'));
  assert.deepEqual(
    message.parts.map(({ text }) => text),
    [undefined, 'Kept', undefined, 'New'],
  );
});

test('follows a tool from its call over an approval to its output', () => {
  const call = { type: 'tool-input-available', toolCallId: 'c1', toolName: 'send', input: { to: 'x' } };
  const asked = read(call, { type: 'tool-approval-request', approvalId: 'a1', toolCallId: 'c1', reason: 'tool' });
  assert.deepEqual(asked.parts[0], {
    ...{ type: 'tool-send', toolCallId: 'c1', input: { to: 'x' }, state: 'approval-requested' },
    approval: { id: 'a1', requestReason: 'tool' },
  });
  const decided = reduceChunk(asked, { type: 'tool-approval-response', approvalId: 'a1', approved: true });
  assert.deepEqual(decided.parts[0]?.['approval'], { id: 'a1', requestReason: 'tool', approved: true });
  const done = reduceChunk(decided, { type: 'tool-output-available', toolCallId: 'c1', output: 'sent' });
  assert.deepEqual([done.parts[0]?.state, done.parts[0]?.['output']], ['output-available', 'sent']);
});

test('replaces a part of data with the same id and keeps what was asked in an approval', () => {
  const ask = { type: 'data-approval', id: 'a', data: { tool: 'send', decision: null } };
  const message = read(ask, { type: 'data-approval', id: 'a', data: { decision: 'approve' } });
  assert.deepEqual(message.parts, [{ type: 'data-approval', id: 'a', data: { tool: 'send', decision: 'approve' } }]);
});

test('says how an answer ended when it was stopped or failed', () => {
  assert.equal(read(...said('Half'), { type: 'abort', reason: 'stopped' }).state, 'stopped');
  const failed = read({ type: 'error', errorText: 'No model answers' });
  assert.deepEqual([failed.state, failed.failure], ['failed', 'No model answers']);
});

test('leaves a message as it is when a chunk is not known', () => {
  const message = read(...said('Hello'));
  assert.equal(reduceChunk(message, { type: 'hologram', depth: 3 }), message);
});
