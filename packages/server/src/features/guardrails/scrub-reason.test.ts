import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { scrubReason } from './scrub-reason.ts';

const text = 'Dear Maria Keller, send 4111 1111 1111 1111 to bob@example.org or I will burn down your house tonight!';

const cases: [string, string, string][] = [
  ['general words stay', 'It threatens someone with arson.', 'It threatens someone with arson.'],
  ['four words in a row go', 'It says i will burn down things.', 'It says … things.'],
  ['other case and marks hide nothing', 'Quote: I WILL, burn-down. Bad.', 'Quote: …. Bad.'],
  ['a number goes', 'It names the card 4111 outright.', 'It names the card … outright.'],
  ['an address goes', 'It names bob@example.org as payee.', 'It names … as payee.'],
  ['a name goes', 'The text threatens Maria openly.', 'The text threatens … openly.'],
  ['a quotation goes', 'The word "tonight" sounds like a threat.', 'The word … sounds like a threat.'],
  ['line breaks go', 'It\nthreatens\u0000\tsomeone.', 'It threatens someone.'],
];
test('removes from a reason what names or quotes the text', () => {
  for (const [what, said, expected] of cases) assert.equal(scrubReason(said, text), expected, what);
});

test('removes a long word of the text, also in scripts without spaces', () => {
  const secret = 'AKIAIOSFODNNEXAMPLEKEYABCDEF';
  assert.ok(!scrubReason(`It holds ${secret.toLowerCase()} in plain sight.`, `key ${secret}`).includes('akia'));
  const said = '我今天晚上要把你的房子和你的车全部烧掉';
  assert.ok(!scrubReason(`It says ${said}.`, said).includes('烧掉'));
});

test('limits a reason to 200 visible characters', () => {
  const long = scrubReason('😀'.repeat(400), 'x');
  assert.equal([...long].length, 200);
  assert.ok(long.isWellFormed());
});

test('leaves no piece of 20 letters of the text in a reason', () => {
  const letters = fc.string({ unit: fc.constantFrom(...'abcdefgh'), minLength: 30, maxLength: 60 });
  fc.assert(
    fc.property(letters, fc.string({ maxLength: 40 }), fc.nat(10), (secret, around, from) => {
      const piece = secret.slice(from, from + 20);
      const kept = scrubReason(`${around} ${piece} ${around}`, `before ${secret} after`);
      assert.ok(!kept.includes(piece), kept);
    }),
  );
});
