import assert from 'node:assert/strict';
import { test } from 'node:test';
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
