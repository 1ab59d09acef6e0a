import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { piiEntities } from '@atrium/contract/settings/keys/safety.ts';
import fc from 'fast-check';
import { makePlaceholders } from './placeholders.ts';
import { makeTextRevealer, revealText, revealValue } from './reveal.ts';

const placeholders = makePlaceholders();
const values = [
  'Ada Lovelace',
  'ada@example.com',
  '+44 20 7946 0958',
  '4111 1111 1111 1111',
  'Zoë 👩‍🚀 Ng\nBuilder',
  'مريم',
  '<PERSON_9>',
  '$& $1',
];
for (const [index, value] of values.entries())
  placeholders.of(piiEntities[index % piiEntities.length] as 'PERSON', value);
const names = placeholders.entries().map(([name]) => name);

/** A text with placeholders, and with things that look like the beginning of one. */
const piece = fc.oneof(
  fc.constantFrom(...names),
  fc.constantFrom(
    '<',
    '<PER',
    '<PERSON_',
    '<PERSON_99>',
    '<b>',
    '%3C',
    '%3CPERSON_1',
    '<<',
    '_1>',
    '<EMAIL_ADDRESS_2',
    ' ',
  ),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);
const said = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

suite('what a model says is put back', () => {
  test('reveals a text that is split at every character', () => {
    for (const name of names) {
      const text = `Dear ${name}, and ${name.toLowerCase()}: welcome ${name}`;
      for (let cut = 0; cut <= text.length; cut++)
        for (let second = cut; second <= text.length; second++) {
          const revealer = makeTextRevealer(placeholders);
          const pieces = [text.slice(0, cut), text.slice(cut, second), text.slice(second)].map(revealer.push);
          const whole = pieces.join('') + revealer.end();
          assert.equal(whole, revealText(text, placeholders));
          const value = placeholders.valueOf(name) as string;
          assert.ok(whole.startsWith(`Dear ${value}, and ${value}`));
        }
    }
  });

  test('gives the same text for any split and never shows part of a placeholder', () => {
    fc.assert(
      fc.property(said, fc.array(fc.nat({ max: 200 }), { maxLength: 20 }), (text, cuts) => {
        const revealer = makeTextRevealer(placeholders);
        const borders = [...new Set([0, ...cuts.map((cut) => cut % (text.length + 1)), text.length])].sort(
          (a, b) => a - b,
        );
        let shown = '';
        for (const [index, border] of borders.slice(1).entries()) {
          shown += revealer.push(text.slice(borders[index], border));
          assert.ok(revealText(text, placeholders).startsWith(shown), `${shown} is no beginning of the whole`);
        }
        assert.equal(shown + revealer.end(), revealText(text, placeholders));
      }),
      { numRuns: 3000 },
    );
  });

  test("does not hold back text that can't become a placeholder", () => {
    const revealer = makeTextRevealer(placeholders);
    assert.equal(revealer.push('a < b'), 'a < b');
    assert.equal(revealer.push(' and <b>bold'), ' and <b>bold');
    assert.equal(revealer.push(' <PERS'), ' ');
    assert.equal(revealer.push('IAN>'), '<PERSIAN>');
    assert.equal(revealer.push('100 %'), '100 ');
    assert.equal(revealer.push(' sure'), '% sure');
  });

  test('reveals every field of tool arguments, URL-encoded where needed', () => {
    const [person] = names as [string];
    assert.deepEqual(
      revealValue(
        { to: person, list: [1, null, `x ${person}`], [person]: true, url: `https://x.test/?q=%3CPERSON_1%3E` },
        placeholders,
      ),
      {
        to: 'Ada Lovelace',
        list: [1, null, 'x Ada Lovelace'],
        'Ada Lovelace': true,
        url: 'https://x.test/?q=Ada%20Lovelace',
      },
    );
  });
});
