import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cpuTime } from '../../../test/support/cpu-time.ts';
import { readJson } from './read-json.ts';
import { scanText } from './scan-text.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

const text = fc.string({ unit: 'binary' }).filter((value) => scanText(value) === undefined);
const key = text.filter((value) => value !== '__proto__');
const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const { document } = fc.letrec((tie) => ({
  document: fc.oneof(
    { depthSize: 'small' },
    text,
    number,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('document')),
    fc.dictionary(key, tie('document')),
  ),
}));
// Every character beyond ASCII as an escape, as Python's json.dumps writes it.
const escaped = (json: string) =>
  json.replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

test('any sound value comes back as it was written', () => {
  fc.assert(
    fc.property(document, fc.constantFrom(0, 2), fc.boolean(), (value, indent, ascii) => {
      const json = JSON.stringify(value, null, indent);
      const written = ascii && indent === 0 ? escaped(json) : json;
      assert.deepEqual(readJson(bytes(written)), { ok: true, value: JSON.parse(json) });
    }),
  );
});

const fragment = fc.constantFrom(...'{}[],:"\\u09dDeE.+-_ \n\0xtfn', '"a"', '\\u0000', '\\ud83d', '1e999', 'NaN', '😀');

test('a document with one place changed is broken exactly when JSON.parse refuses it', () => {
  fc.assert(
    fc.property(document, fc.nat(), fc.nat(1), fragment, (value, place, removed, inserted) => {
      const chars = [...JSON.stringify(value)];
      chars.splice(place % (chars.length + 1), removed, inserted);
      const changed = chars.join('');
      const reading = readJson(bytes(changed));
      const broken = !reading.ok && reading.validationErrors[0]?.type === 'json_invalid';
      try {
        const expected: unknown = JSON.parse(changed);
        assert.equal(broken, false);
        if (reading.ok) assert.deepEqual(reading.value, expected);
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        assert.equal(broken, true);
      }
    }),
    { numRuns: 1000 },
  );
});

test('finds errors in a document exactly when it has some', () => {
  const entry = fc.tuple(
    fc.constantFrom('a', 'b', '__proto__', 'c\\u0000'),
    fc.constantFrom('1', '1e999', '"\\ud800"'),
  );
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 4 }), (entries) => {
      const keys = entries.map(([name]) => name);
      const bad = entries.some(([name, value]) => name.length > 1 || value !== '1') || new Set(keys).size < keys.length;
      const body = `{${entries.map(([name, value]) => `"${name}":${value}`).join(',')}}`;
      assert.equal(readJson(bytes(body)).ok, !bad);
    }),
  );
});

test('refuses strings by the characters that their escapes stand for', () => {
  const piece = fc.constantFrom('\\ud83d', '\\uDE00', '\\\\', '\\u0000', '\\u00e9', 'u', 'd83d', 'ude00', '0000', '😀');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
      const json = `"${pieces.join('')}"`;
      assert.equal(readJson(bytes(json)).ok, scanText(JSON.parse(json)) === undefined, json);
    }),
    { numRuns: 3000 },
  );
});

test('no bytes make it throw', () => {
  fc.assert(fc.property(fc.uint8Array(), (body) => readJson(body) !== undefined));
  fc.assert(fc.property(fc.array(fragment), (parts) => readJson(bytes(parts.join(''))) !== undefined));
});

test('hostile bodies of 2 MB are answered in linear time', () => {
  const bodies = [
    '['.repeat(200_000),
    '['.repeat(1_000_000) + ']'.repeat(1_000_000),
    '"\\'.repeat(1_000_000),
    `"${'\\'.repeat(2_000_000)}`,
    '"'.repeat(2_000_000),
    '9'.repeat(2_000_000),
    ' '.repeat(2_000_000),
    `{${'"a":1,'.repeat(300_000)}"a":1}`,
    `${'['.repeat(63)}[${'1e999,'.repeat(300_000)}1]${']'.repeat(63)}`,
    `["${'\\ud83d\\ude00'.repeat(150_000)}\\ud83d"]`,
  ];
  for (const body of bodies) {
    const started = cpuTime();
    const reading = readJson(bytes(body));
    assert.equal(reading.ok, false);
    // Some 0.2 s here; anything quadratic would take minutes.
    assert.ok(cpuTime() - started < 5000, body.slice(0, 20));
  }
});
