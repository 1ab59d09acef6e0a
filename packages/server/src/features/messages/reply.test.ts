import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import { makeEventWriter } from '../runs/log/event-writer.ts';
import { makeReply } from './reply.ts';
import { replyMessages } from './reply-messages.ts';

const events: RunEvent[] = [
  { type: 'step-start', step: 1 },
  { type: 'attempt-start', step: 1, attempt: 1, model: 'a/x', discard: false },
  { type: 'text-delta', step: 1, text: 'lost ' },
  { type: 'attempt-start', step: 1, attempt: 2, model: 'a/x', discard: true },
  { type: 'text-delta', step: 1, text: 'Let me ' },
  { type: 'text-delta', step: 1, text: 'look.' },
  { type: 'tool-call', step: 1, id: 'c1', name: 'clock_now', input: {} },
  { type: 'tool-result', step: 1, id: 'c1', name: 'clock_now', output: { utc: 'now' }, is_error: false },
  { type: 'step-start', step: 2 },
  { type: 'reasoning-delta', step: 2, text: 'hm' },
  { type: 'text-delta', step: 2, text: 'It is now.' },
];

test('a reply is what its events add up to, without what was discarded', () => {
  const reply = makeReply();
  for (const event of events) reply.add(event);
  assert.deepEqual(
    reply.parts.map((part) => [part.type, part.content]),
    [
      ['text', 'Let me look.'],
      ['function', '{"utc":"now"}'],
      ['reasoning', 'hm'],
      ['text', 'It is now.'],
    ],
  );
});

test('a stored reply becomes model messages step by step, calls with their results', () => {
  const reply = makeReply();
  for (const event of events) reply.add(event);
  assert.deepEqual(
    replyMessages(reply.parts).map((message) => message.role),
    ['assistant', 'tool', 'assistant'],
  );
});

test('brings back what a discarded attempt said when the run fails before the next one says anything', () => {
  const told = (withheld: { withheld?: true }) => {
    const reply = makeReply();
    for (const event of events) reply.add(event);
    reply.add({ type: 'attempt-start', step: 2, attempt: 2, model: 'a/x', discard: true, ...withheld });
    reply.add({ type: 'run-end', status: 'failed', error: { code: 'model_failed', message: 'No model answered' } });
    return reply.parts.map(({ type }) => type);
  };
  assert.deepEqual(told({}), ['text', 'function', 'reasoning', 'text', 'error']);
  assert.deepEqual(told({ withheld: true }), ['text', 'function', 'error'], 'a guardrail took it back');
});

test('small pieces of text are shown and stored together, in order, and whole', async () => {
  const shown: RunEvent[] = [];
  let unstored: RunEvent[] = [];
  const stored: RunEvent[] = [];
  let writes = 0;
  const writer = makeEventWriter({
    show(batch) {
      shown.push(...batch);
      unstored.push(...batch);
    },
    async store(batch) {
      writes++;
      const events = unstored;
      unstored = [];
      await new Promise((resolve) => setTimeout(resolve, 5));
      stored.push(...events, ...batch);
      shown.push(...batch);
    },
  });
  for (let i = 0; i < 300; i++) {
    await writer.write({ type: 'text-delta', step: 1, text: `${i} ` });
    if (i % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  assert.ok(shown.length > 0, 'the first words are shown before anything is stored');
  assert.equal(stored.length, 0);
  await writer.write({ type: 'step-start', step: 2 });
  await writer.flush();
  for (const events of [shown, stored]) {
    const text = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
    assert.equal(text, Array.from({ length: 300 }, (_, i) => `${i} `).join(''));
    assert.equal(events.at(-1)?.type, 'step-start');
  }
  assert.ok(shown.length < 20, `${shown.length} pieces`);
  assert.ok(writes < 5, `${writes} writes`);
});

test('an event with effects is shown only when it is stored, and later words after it', async () => {
  const shown: string[] = [];
  const gate = Promise.withResolvers<void>();
  const writer = makeEventWriter({
    show: (batch) => void shown.push(...batch.map(({ type }) => type)),
    async store(batch) {
      await gate.promise;
      shown.push(...batch.map(({ type }) => type));
    },
  });
  const result: RunEvent = { type: 'tool-result', step: 1, id: 'c', name: 'clock_now', output: 1, is_error: false };
  const stored = writer.write(result);
  writer.write({ type: 'text-delta', step: 2, text: 'later' });
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.deepEqual(shown, []);
  gate.resolve();
  await stored;
  assert.deepEqual(shown, ['tool-result', 'text-delta']);
  await writer.rest();
});

test('the next caller gets the error of a failed write', async () => {
  const writer = makeEventWriter({ show() {}, store: () => Promise.reject(new Error('gone')) });
  const result: RunEvent = { type: 'tool-result', step: 1, id: 'c', name: 'clock_now', output: 1, is_error: false };
  await assert.rejects(async () => writer.write(result), /gone/);
  await assert.rejects(async () => writer.write({ type: 'step-start', step: 2 }), /gone/);
});
