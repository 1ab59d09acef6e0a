import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readJson } from './read-json.ts';

function summary(text: string): unknown[] {
  const reading = readJson(new TextEncoder().encode(text));
  return reading.ok ? [] : reading.validationErrors.map(({ type, loc, input }) => [type, loc.join('.'), input]);
}

const CASES: [text: string, validationErrors: [type: string, loc: string, input: unknown][]][] = [
  ['{"a":1,"a":2}', [['duplicate_key', 'a', 2]]],
  ['{"a":1,"b":0,"a":2,"\\u0061":{"x":3}}', [['duplicate_key', 'a', { x: 3 }]]],
  ['[0,{"s":[{"k":1,"k":[]}]}]', [['duplicate_key', '1.s.0.k', []]]],
  [
    '{"a":{"x":1,"x":2},"a":5}',
    [
      ['duplicate_key', 'a.x', 2],
      ['duplicate_key', 'a', 5],
    ],
  ],
  ['["a","b\\u0000"]', [['string_nul', '1', 'b\0']]],
  ['"\\u0000"', [['string_nul', '', '\0']]],
  ['{"a":{"k\\u0000":1}}', [['string_nul', 'a.k\ufffd', 'k\0']]],
  [
    '{"\\ud800":"\\udc00"}',
    [
      ['string_unicode', '\ufffd', '\ud800'],
      ['string_unicode', '\ufffd', '\udc00'],
    ],
  ],
  ['["\\\\ud83d\\ude00"]', [['string_unicode', '0', '\\ud83d\ude00']]],
  ['["\\ud83d\\\\ude00"]', [['string_unicode', '0', '\ud83d\\ude00']]],
  ['["\\ud83d\\ud83d\\ude00\\uDE00"]', [['string_unicode', '0', '\ud83d\ud83d\ude00\ude00']]],
  ['{"a":[{"__proto__":{"admin":true}}]}', [['extra_forbidden', 'a.0.__proto__', { admin: true }]]],
  ['{"\\u005f_proto__":1}', [['extra_forbidden', '__proto__', 1]]],
  ['{"__prot\\u006F__":1}', [['extra_forbidden', '__proto__', 1]]],
  [
    '{"__proto__":1,"__proto__":2}',
    [
      ['extra_forbidden', '__proto__', 1],
      ['duplicate_key', '__proto__', 2],
    ],
  ],
  ['{"a":[1,1e999]}', [['finite_number', 'a.1', '1e999']]],
  ['-1E309', [['finite_number', '', '-1E309']]],
  [
    '{"n":1e999,"s":"\\u0000","d":1,"d":2}',
    [
      ['finite_number', 'n', '1e999'],
      ['string_nul', 's', '\0'],
      ['duplicate_key', 'd', 2],
    ],
  ],
  ['{"a":"__proto__","b":"\\\\u0000","c":9007199254740993}', []],
];

test('every repeated, forbidden and unreadable place is named with its input', () => {
  for (const [text, validationErrors] of CASES) assert.deepEqual(summary(text), validationErrors, text);
});

test('messages and ctx are those that callers know', () => {
  const reading = readJson(new TextEncoder().encode('{"a":"\\u0000","a":"\\ud800","__proto__":1e999}'));
  assert.ok(!reading.ok);
  assert.deepEqual(
    reading.validationErrors.map((validationError) => validationError.msg),
    [
      'String should not contain a NUL character',
      'Key is given twice',
      'Input should be a valid string, unable to parse raw data as a unicode string',
      'Extra inputs are not permitted',
      'Input should be a finite number',
    ],
  );
  for (const validationError of reading.validationErrors) assert.deepEqual(validationError.ctx, {});
});

test('names at most a hundred validation errors', () => {
  assert.equal(summary(`[${'1e999,'.repeat(500)}1]`).length, 100);
});

test('validation errors nested in one another do not multiply a large body', () => {
  const text = `${'{"a":1,"a":'.repeat(60)}"${'x'.repeat(500_000)}"${'}'.repeat(60)}`;
  assert.ok(JSON.stringify(summary(text)).length < 1_100_000);
});
