import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FileContent } from '../../drivers/models/driver.ts';
import { estimateFile, estimateMessages, estimateTokens, estimateTools } from './estimate-tokens.ts';

const file = (media_type: string, text: string): FileContent => ({
  type: 'file',
  media_type,
  filename: 'a',
  data: new TextEncoder().encode(text),
});

test('an estimate is never below a quarter of the characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 120 }), (text) => {
      const tokens = estimateTokens(text);
      assert.ok(Number.isInteger(tokens) && tokens >= text.length / 4);
      assert.equal(tokens, estimateTokens(text));
    }),
  );
});

test('a longer text is never estimated lower', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (a, b) => {
      assert.ok(estimateTokens(a + b) >= estimateTokens(a));
      assert.ok(estimateTokens(a + b) >= estimateTokens(b) - 12, 'a run of signs that ends in b may have begun in a');
    }),
  );
});

test('Chinese, Japanese and Korean count about one token a character', () => {
  for (const text of ['保修期为两年', 'ありがとうございます', '안녕하세요'])
    assert.equal(estimateTokens(text), text.length);
});

test('plain English counts between four and three characters a token', () => {
  const text = 'The warranty of the kettle lasts two years from the day it was bought. ';
  const tokens = estimateTokens(text);
  assert.ok(tokens >= text.length / 4 && tokens <= text.length / 3);
});

test('keys and base64 count more than words', () => {
  assert.ok(estimateTokens('a'.repeat(400)) > estimateTokens('word '.repeat(80)));
});

test('files count by what they are', () => {
  assert.ok(estimateFile(file('image/png', 'x')) >= 1_000);
  assert.ok(estimateFile(file('text/plain', 'word '.repeat(4_000))) >= 5_000);
  const pages = (count: number) => file('application/pdf', `<< /Type /Pages >>${'<< /Type /Page >>'.repeat(count)}`);
  assert.ok(estimateFile(pages(3)) < estimateFile(pages(4)));
  assert.ok(estimateFile(file('application/pdf', 'packed')) >= 2_000);
});

test('messages count their texts, tool calls, results and files', () => {
  const attached = file('text/plain', 'hello');
  const all = estimateMessages([
    { role: 'user', parts: [{ type: 'text', text: 'hello' }, attached] },
    { role: 'assistant', parts: [{ type: 'tool-call', id: 'c1', name: 'clock_now', input: { time_zone: 'UTC' } }] },
    { role: 'tool', results: [{ id: 'c1', name: 'clock_now', output: 'noon', is_error: false }] },
  ]);
  assert.ok(all > estimateFile(attached) + estimateTokens('helloclock_nownoon'));
  assert.equal(estimateMessages([]), 0);
  assert.ok(estimateTools([{ name: 'a', description: 'b', input_schema: { type: 'object' } }]) > 8);
});

test('estimates a tool by all of its texts when others have the same schema', () => {
  const schema = () => ({ type: 'object', properties: { city: { type: 'string' } } });
  const input_schema = schema();
  const short = { name: 'weather', description: 'The weather.' };
  const long = { ...short, description: 'The weather of a city, today and in the next days.' };
  const covered = [{ start: 0, end: 3 }];
  for (const tool of [short, long, { ...short, strict: true }, { ...short, data: ['{"rows": [1, 2, 3]}'] }, short])
    assert.equal(estimateTools([{ ...tool, input_schema }]), estimateTools([{ ...tool, input_schema: schema() }]));
  assert.equal(
    estimateTools([{ ...short, covered, input_schema }]),
    estimateTools([{ ...short, covered, input_schema: schema() }]),
  );
  assert.ok(estimateTools([{ ...long, input_schema }]) > estimateTools([{ ...short, input_schema }]));
});

test('a tool is estimated by its own texts, also when it shares its schema with another', () => {
  const tool = { name: 'a', description: 'Reads', origin: 'base', strict: false };
  const shared = { type: 'object' };
  for (const other of [tool, { ...tool, name: 'longer_name' }, { ...tool, covered: [] }, { ...tool, strict: true }]) {
    estimateTools([{ ...tool, input_schema: shared } as never]);
    assert.equal(
      estimateTools([{ ...other, input_schema: shared } as never]),
      estimateTools([{ ...other, input_schema: { ...shared } } as never]),
    );
    estimateTools([{ ...tool, input_schema: shared } as never]);
  }
});
