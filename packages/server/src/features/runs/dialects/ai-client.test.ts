import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import type { UIMessageChunk } from 'ai';
import fc from 'fast-check';
import type { UiChunk } from '../../messages/ports.ts';
import { runArbitrary, settingsArbitrary } from './random-runs/testing.ts';
import {
  bytesOf,
  contextOf,
  message_id,
  metadata,
  numbered,
  oneStep,
  readChunks,
  readMessage,
  say,
} from './testing.ts';
import { makeUiDialect } from './ui-dialect.ts';

// Holds our frames against the package's type; the schema is held against the bytes below.
const asTheirs = (chunk: UiChunk): UIMessageChunk => chunk;

const plain = { group_into_chain_of_thought: false };

async function read(events: readonly RunEvent[], settings = {}) {
  const chunks = await readChunks(bytesOf(makeUiDialect(contextOf({ ...plain, ...settings })), numbered(events)));
  return { ...(await readMessage(chunks)), types: chunks.map(({ type }) => type) };
}

const step = { type: 'step-start' };
const text = (said: string) => ({ type: 'text', text: said, state: 'done' });

test('an AI SDK client reads the text, the id and how the reply was made', async () => {
  const { message, errors, types } = await read(oneStep(say.text('Hel'), say.text('lo')));
  assert.deepEqual(message, { id: message_id, role: 'assistant', metadata, parts: [step, text('Hello')] });
  assert.deepEqual(errors, []);
  assert.equal(types.at(-1), 'finish');
});

test('an AI SDK client reads reasoning', async () => {
  const { message } = await read(oneStep(say.think('hm'), say.think('m'), say.text('yes')));
  assert.deepEqual(message.parts, [
    step,
    { type: 'reasoning', id: 'reasoning-1', text: 'hmm', state: 'done' },
    text('yes'),
  ]);
});

test('an AI SDK client reads tools that worked and tools that failed, over two steps', async () => {
  const { message, types } = await read([
    say.start,
    say.step(1),
    say.text('Looking'),
    say.call('c1'),
    say.call('c2'),
    say.stepEnd(1, 'tool-calls'),
    say.result('c1', { utc: 'now' }),
    say.result('c2', { error: 'No such zone' }, true),
    say.step(2),
    // Providers may count their calls anew in each step.
    say.call('c1', 'clock_now', 2),
    say.stepEnd(2, 'tool-calls'),
    say.result('c1', 'later', false, 2),
    say.step(3),
    say.text('Done', 3),
    say.stepEnd(3),
    say.messageEnd,
    say.completed,
  ]);
  const call = { type: 'tool-clock_now', input: { a: 1 } };
  assert.deepEqual(message.parts, [
    step,
    text('Looking'),
    { ...call, toolCallId: 'c1', state: 'output-available', output: { utc: 'now' } },
    { ...call, toolCallId: 'c2', state: 'output-error', errorText: 'No such zone' },
    step,
    { ...call, toolCallId: 'c1', state: 'output-available', output: 'later' },
    step,
    text('Done'),
  ]);
  // The results belong to the step that asked for them.
  assert.deepEqual(types.slice(types.indexOf('tool-output-error'), types.indexOf('tool-output-error') + 3), [
    'tool-output-error',
    'finish-step',
    'start-step',
  ]);
});

test('an AI SDK client drops what a broken attempt has said, and nothing of the steps before', async () => {
  const { message, errors } = await read(
    [
      say.start,
      say.step(1),
      say.think('plan'),
      say.call('c1'),
      say.stepEnd(1, 'tool-calls'),
      say.result('c1', 'x'),
      say.step(2),
      say.think('half a tho', 2),
      say.text('half an ans', 2),
      say.call('c2', 'clock_now', 2),
      say.discard(2),
      say.text('whole', 2),
      say.stepEnd(2),
      say.messageEnd,
      say.completed,
    ],
    { group_into_chain_of_thought: true },
  );
  assert.deepEqual(errors, []);
  assert.deepEqual(
    message.parts.map((part) => ('text' in part ? part.text : 'data' in part ? part.data : part.type)),
    ['step-start', { parts: 2 }, 'plan', 'tool-clock_now', 'step-start', 'whole'],
  );
});

test('a failure reaches an AI SDK client as an error, and the words that were read stay', async () => {
  const { message, errors, types } = await read([
    say.start,
    say.step(),
    say.text('half an ans'),
    say.call('c1'),
    say.messageEnd,
    say.failed,
  ]);
  assert.deepEqual(errors, ['No model answered']);
  assert.deepEqual(
    message.parts.map(({ type }) => type),
    ['step-start', 'text', 'tool-clock_now'],
  );
  assert.deepEqual(types.slice(-2), ['finish-step', 'error']);
});

test('a stop reaches an AI SDK client as an abort, with what was said until then', async () => {
  const { message, errors, types } = await read([
    say.start,
    say.step(),
    say.text('so far'),
    say.messageEnd,
    say.stopped,
  ]);
  assert.deepEqual([errors, types.at(-1)], [[], 'abort']);
  assert.deepEqual(message.parts, [step, text('so far')]);
});

test('warnings and titles are streamed and not stored', async () => {
  const { message, types } = await read(
    oneStep({ type: 'warning', code: 'w', message: 'careful' }, say.text('x'), { type: 'title', name: 'A name' }),
  );
  assert.ok(types.includes('data-warning') && types.includes('data-title'));
  assert.deepEqual(message.parts, [step, text('x')]);
});

test('an AI SDK client reads every run in every display without an error', async () => {
  await fc.assert(
    fc.asyncProperty(runArbitrary, settingsArbitrary, async (events, settings) => {
      const { errors } = await read(events, settings);
      assert.deepEqual(errors, events.at(-1) === say.failed ? ['No model answered'] : []);
    }),
    { numRuns: 150 },
  );
  assert.ok(asTheirs);
});
