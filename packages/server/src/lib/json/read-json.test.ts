import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type JsonValidationError, readJson, scanText } from './read-json.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function validationErrorsOf(body: string | Uint8Array): JsonValidationError[] {
  const reading = readJson(typeof body === 'string' ? bytes(body) : body);
  return reading.ok ? [] : reading.validationErrors;
}

test('a sound document is read as JSON.parse reads it', () => {
  for (const text of ['null', ' [1, -0.5e-7, "\\ud83d\\ude00", {"": {}}] ', '{"a":{"a":{"b:":":"}},"b":"\\\\u0000"}']) {
    assert.deepEqual(readJson(bytes(text)), { ok: true, value: JSON.parse(text) });
  }
});

test('a view into a larger buffer is read within its bounds', () => {
  assert.deepEqual(readJson(bytes('xx[1]xx').subarray(2, 5)), { ok: true, value: [1] });
});

const BROKEN: [text: string, error: string, offset: number][] = [
  ['', 'Expecting value', 0],
  ['  ', 'Expecting value', 2],
  ['{"a": }', 'Expecting value', 6],
  ['[1, x]', 'Expecting value', 4],
  ['[-]', 'Expecting value', 1],
  ['[NaN]', 'Expecting value', 1],
  ['{"a":-Infinity}', 'Expecting value', 5],
  ['Infinity', 'Expecting value', 0],
  ['[tru]', 'Expecting value', 1],
  ['\u00a01', 'Expecting value', 0],
  ['{', 'Expecting property name enclosed in double quotes', 1],
  ["{'a':1}", 'Expecting property name enclosed in double quotes', 1],
  ['{"a":1,,}', 'Expecting property name enclosed in double quotes', 7],
  ['{"a" 1}', "Expecting ':' delimiter", 5],
  ['{"a"', "Expecting ':' delimiter", 4],
  ['[1 2]', "Expecting ',' delimiter", 3],
  ['[01]', "Expecting ',' delimiter", 2],
  ['[1.]', "Expecting ',' delimiter", 2],
  ['{"a":1', "Expecting ',' delimiter", 6],
  ['["😀é" 1]', "Expecting ',' delimiter", 6],
  ['1 2', 'Extra data', 2],
  ['{}}', 'Extra data', 2],
  ['1e', 'Extra data', 1],
  ['["abc', 'Unterminated string starting at', 1],
  ['"\\"', 'Unterminated string starting at', 0],
  ['"\\', 'Unterminated string starting at', 0],
  ['"a\nb"', 'Invalid control character at', 2],
  ['"😀\0"', 'Invalid control character at', 2],
  ['"a\\x"', 'Invalid \\escape', 2],
  ['"\\u12g4"', 'Invalid \\uXXXX escape', 2],
  ['"\\u123', 'Invalid \\uXXXX escape', 2],
  ['"\\u1234', 'Invalid \\uXXXX escape', 2],
  ['"\\ud83d\\uzzzz"', 'Invalid \\uXXXX escape', 8],
  ['[1 , ]', 'Illegal trailing comma before end of array', 3],
  ['{"a":1,}', 'Illegal trailing comma before end of object', 6],
  ['\ufeff{}', 'Unexpected UTF-8 BOM (decode using utf-8-sig)', 0],
  ['['.repeat(65) + ']'.repeat(65), 'Nesting is deeper than 64 levels', 64],
  ['{"a":'.repeat(65), 'Nesting is deeper than 64 levels', 320],
  [`[x${'['.repeat(65)}`, 'Expecting value', 1],
];

test('reports broken JSON as one error with the words and the offset of Python', () => {
  for (const [text, error, offset] of BROKEN) {
    const validationError = {
      type: 'json_invalid',
      loc: [String(offset)],
      msg: 'JSON decode error',
      input: {},
      ctx: { error },
    };
    assert.deepEqual(validationErrorsOf(text), [validationError], JSON.stringify(text));
  }
});

test('64 levels are not too deep', () => {
  assert.equal(readJson(bytes('['.repeat(64) + ']'.repeat(64))).ok, true);
});

test('bytes that are not UTF-8 are named by the characters before them', () => {
  const cases: [number[], string][] = [
    [[0x22, 0xc3, 0x22], '1'],
    [[0x22, 0xc3, 0xa9, 0xef, 0xbf, 0xbd, 0xff, 0x22], '3'],
    [[0x22, 0xed, 0xa0, 0x80, 0x22], '1'],
  ];
  for (const [body, offset] of cases) {
    const [validationError] = validationErrorsOf(Uint8Array.from(body));
    assert.deepEqual([validationError?.loc, validationError?.ctx], [[offset], { error: 'Invalid UTF-8' }]);
  }
});

test('strings of a path or query are scanned for NUL and lone surrogates', () => {
  assert.equal(scanText('plain 😀 \ufffd'), undefined);
  assert.equal(scanText('a\0\ud800'), 'nul');
  assert.equal(scanText('\ude00\ud83d'), 'surrogate');
});
