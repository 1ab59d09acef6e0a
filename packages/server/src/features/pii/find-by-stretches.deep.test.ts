import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { proseOf } from '../../../test/support/prose.ts';
import { makeWordTagger } from '../../drivers/taggers/words.ts';
import { findByStretches } from './find-by-stretches.ts';
import { resolveOverlaps } from './resolve-overlaps.ts';
import { makeFindPii, patternRecognisers } from './service.ts';

const line = (n: number) =>
  `Row ${n}: write to u${n}x@example.com or call +49 30 ${901820 + n}, card 4111 1111 1111 1111, https://x${n}.example.com/a?b=${n}.`;

test('finds the same values in a long text as in its lines', async () => {
  const find = makeFindPii({ tagger: makeWordTagger() });
  for (const separator of ['\n', ' ']) {
    const text = Array.from({ length: 500 }, (_, n) => line(n)).join(separator);
    const found = await find(text, ['EMAIL_ADDRESS', 'PHONE_NUMBER', 'CREDIT_CARD']);
    const kinds = (entity: string) => found.filter((span) => span.entity === entity);
    assert.equal(kinds('EMAIL_ADDRESS').length, 500);
    assert.equal(kinds('PHONE_NUMBER').length, 500);
    assert.equal(kinds('CREDIT_CARD').length, 500);
  }
});

test('finds the same values in stretches as in one go', async () => {
  const text = Array.from({ length: 500 }, (_, n) => line(n)).join(' ');
  for (const { entities, find } of patternRecognisers) {
    const spans = await findByStretches(text, find, async () => undefined);
    assert.deepEqual(resolveOverlaps(spans), resolveOverlaps(await find(text)), entities.join());
  }
});

/** Values of all kinds between sentences, in any order, long enough for several stretches. */
const sentences = proseOf(60_000).split(/(?<=[.!?]) /);
const values = Array.from({ length: 40 }, (_, n) => line(n)).concat(
  'IBAN DE89 3704 0044 0532 0130 00, 10.20.0.0/16 and 2001:db8::1.',
  'Born on 27 May 1989 at 18:40, (030) 901820, 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed, BB1388568.',
  'jo (at) example (dot) com, see example.com/a/(b.com/c).',
);
const documents = fc
  .array(fc.oneof(fc.constantFrom(...values), fc.constantFrom(...sentences)), { minLength: 400, maxLength: 800 })
  .chain((parts) => fc.constantFrom(' ', '\n', '\n\n').map((separator) => parts.join(separator)));

test('finds the same values in stretches as in one go, for any order of sentences and values', async () => {
  await fc.assert(
    fc.asyncProperty(documents, async (text) => {
      for (const { entities, find } of patternRecognisers) {
        const spans = await findByStretches(text, find, async () => undefined);
        assert.deepEqual(resolveOverlaps(spans), resolveOverlaps(await find(text)), entities.join());
      }
    }),
    { numRuns: 20 },
  );
});
