import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamOptions } from '../driver.ts';
import { AnswerParts } from './answer-parts.ts';
import { AnswerStream } from './answer-stream.ts';
import { atCommonTick } from './common-ticks.ts';
import type { Protocol } from './protocol.ts';

/** A stream of an answer whose events are words. */
function openStream(options?: StreamOptions) {
  const parts = new AnswerParts();
  const reader = { begun: true, parts, read: (data: string) => parts.append('text', data), end() {} };
  const stream = new AnswerStream({} as Protocol, reader, options);
  stream.head(200, 'OK', {});
  const send = (word: string) => stream.data(Buffer.from(`data: ${word}\n\n`));
  /** Counts how often the reader is woken. */
  async function wakeUps(work: () => void): Promise<number> {
    let count = 0;
    let waits = true;
    const wait = async () => {
      await stream.more();
      count += 1;
      if (waits) void wait();
    };
    void wait();
    work();
    await sleep(100);
    waits = false;
    return count;
  }
  return { stream, send, wakeUps };
}

/** What a reader gets of three pieces that come within one tick. */
async function readTick(options?: StreamOptions): Promise<string[]> {
  const { stream, send, wakeUps } = openStream(options);
  assert.equal(await wakeUps(() => send('first')), 1);
  stream.take();
  const count = await wakeUps(() => {
    // A tick that has just been; the next one is 20 ms away.
    atCommonTick(() => {});
    for (const word of ['one', 'two', 'three']) send(word);
  });
  assert.equal(count, 1);
  return stream.take().map((part) => (part.type === 'text' ? part.text : part.type));
}

test('wakes its reader once for the pieces of a tick, and keeps them apart', async () => {
  assert.deepEqual(await readTick(), ['one', 'two', 'three']);
});

test('joins the pieces of a tick for a reader that does not mind', async () => {
  assert.deepEqual(await readTick({ joined: true }), ['onetwothree']);
});

test('passes the first words on at once, also after a piece without any', async () => {
  const { stream, send } = openStream();
  const woken: string[] = [];
  void stream.more().then(() => woken.push('empty'));
  stream.data(Buffer.from(': a comment\n\n'));
  await Promise.resolve();
  void stream.more().then(() => woken.push('words'));
  send('first');
  await Promise.resolve();
  assert.deepEqual(woken, ['empty', 'words']);
});

test('passes the end on at once', async () => {
  const { stream, send } = openStream();
  send('first');
  stream.take();
  let woken = false;
  void stream.more().then(() => {
    woken = true;
  });
  send('last');
  stream.end();
  await Promise.resolve();
  assert.ok(woken && stream.over);
  assert.equal(stream.take().length, 1);
});
