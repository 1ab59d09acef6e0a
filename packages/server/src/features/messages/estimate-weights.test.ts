import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileContent } from '../../drivers/models/driver.ts';
import { estimateFile, estimateMessages, estimateTokens } from './estimate-tokens.ts';

const file = (media_type: string, text: string): FileContent => ({
  ...{ type: 'file', media_type, filename: 'a', data: new TextEncoder().encode(text) },
});

test('weighs letters, signs and scripts by quarters of a token', () => {
  const quarters = (text: string) => estimateTokens(text.repeat(4));
  const weights: Record<string, number> = {
    ...{ a: 1, z: 1, ' ': 1, '`': 2, '{': 2, A: 2, '\u007f': 2, '\u0080': 2, '\u077f': 2, '\u0780': 4 },
    ...{ '\ud7ff': 4, '\ud800': 6, '\udfff': 6, '\ue000': 4 },
  };
  for (const [sign, weight] of Object.entries(weights)) assert.equal(quarters(sign), weight, JSON.stringify(sign));
});

test('letters of a run without a space weigh more from the twenty-fifth on', () => {
  assert.equal(estimateTokens('a'.repeat(24)), 6);
  assert.equal(estimateTokens('a'.repeat(28)), 9);
  assert.equal(estimateTokens(`${'a'.repeat(24)} ${'!'.repeat(23)}`), Math.ceil((24 + 1 + 46) / 4));
  assert.equal(
    estimateTokens(`${'a'.repeat(20)}\u007f${'a'.repeat(20)}`),
    Math.ceil(42 / 4),
    'a control sign ends a run',
  );
});

test('estimates files by their kind, with their names', () => {
  const tokens = (media_type: string, text: string) => estimateFile(file(media_type, text)) - 20 - 1;
  assert.equal(tokens('image/png', 'x'), 2000);
  assert.deepEqual([tokens('audio/mp3', 'x'.repeat(1001)), tokens('video/mp4', 'x'.repeat(1001))], [3, 3]);
  const page = '<< /Type /Page >> << /Type/Page >> << /Type /Pages >> << /Type /Font >>';
  assert.equal(tokens('application/pdf', page), 2 * 2500);
  const pages = (bytes: number) => tokens('application/pdf', 'x'.repeat(bytes)) / 2500;
  assert.deepEqual([pages(1), pages(30_000), pages(30_001), pages(5_000_000)], [1, 1, 2, 100]);
});

test('estimates each part of a message, and its frame', () => {
  const parts = (...list: object[]) => estimateMessages([{ role: 'user', parts: list } as never]);
  const text = 'abcd'.repeat(5);
  const picture = file('image/png', 'x');
  assert.deepEqual([parts(), parts({ type: 'text', text })], [4, 9]);
  assert.equal(parts(picture), 4 + estimateFile(picture));
  const call = { type: 'tool-call', id: 'call', name: 'abcd', input: { a: 1 } };
  assert.equal(parts(call), 4 + 8 + estimateTokens('callabcd{"a":1}'));
  assert.equal(parts({ ...call, input: undefined }), 4 + 8 + estimateTokens('callabcd'));
  const result = { output: text, name: 'abcd', id: 'call' };
  const answer = { role: 'tool', results: [result, result] } as never;
  assert.equal(estimateMessages([answer]), 2 * (8 + estimateTokens(`${text}abcdcall`)));
});
