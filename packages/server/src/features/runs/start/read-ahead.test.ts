import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import { readAhead } from './read-ahead.ts';

const { signal } = new AbortController();
const word = (text: string): RunEvent => ({ type: 'text-delta', step: 1, text });
const call: RunEvent = { type: 'tool-call', step: 1, id: 'a', name: 'pay', input: {} };

test('reads words ahead, and not beyond a call of a tool', async () => {
  const done: string[] = [];
  async function* events(): AsyncGenerator<RunEvent> {
    yield word('one');
    yield word('two');
    done.push('words');
    yield call;
    done.push('tool');
    yield word('three');
  }
  const ahead = readAhead(events(), signal);
  await turn();
  assert.deepEqual(done, ['words']);
  const taken: RunEvent[] = [];
  for await (const event of ahead) taken.push(event);
  assert.deepEqual(taken, [word('one'), word('two'), call, word('three')]);
  assert.deepEqual(done, ['words', 'tool']);
});

test('throws an early error where it is taken', async () => {
  async function* events(): AsyncGenerator<RunEvent> {
    yield word('one');
    throw new Error('no model');
  }
  const ahead = readAhead(events(), signal);
  await turn();
  assert.deepEqual(await ahead.next(), { done: false, value: word('one') });
  await assert.rejects(ahead.next(), /no model/);
});

test('stops reading after some hundred events, and when it is aborted', async () => {
  let made = 0;
  async function* events(): AsyncGenerator<RunEvent> {
    for (;;) yield word(String(++made));
  }
  readAhead(events(), signal);
  for (let turns = 0; turns < 100; turns++) await turn();
  assert.equal(made, 500);
  readAhead(events(), AbortSignal.abort());
  for (let turns = 0; turns < 100; turns++) await turn();
  assert.equal(made, 501);
});

test('ends the source when its reader leaves', async () => {
  let ended = false;
  async function* events(): AsyncGenerator<RunEvent> {
    try {
      for (;;) yield call;
    } finally {
      ended = true;
    }
  }
  for await (const _ of readAhead(events(), signal)) break;
  assert.ok(ended);
});
