import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { testApp } from '../../../test/support/test-app.ts';

const { query } = await testApp();

const marks = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
/** The words of a text whose marks were replaced one by one. */
const expected = `strip(to_tsvector('simple', translate($1, $2, repeat(' ', 32))))::text`;

const wordsOf = async (content: string) => {
  const parts = JSON.stringify([{ type: 'user', content }]);
  const [row] = await query(
    `select ${expected} as expected, search_words($1)::text as passage, message_words($3)::text as message`,
    [content, marks, parts],
  );
  return row;
};

test('finds the words between all marks', async () => {
  const content = [...marks].map((mark, index) => `w${index}${mark}`).join('');
  const { expected, passage, message } = await wordsOf(content);
  assert.equal(passage, expected);
  assert.equal(message, expected);
  assert.equal(message.split(' ').length, 32);
});

test('finds the same words in any text', async () => {
  const unit = fc.oneof(fc.constantFrom(...marks, ' ', '\n', 'é', '–', '💡', 'ß', '中'), fc.string({ maxLength: 3 }));
  const text = fc.array(unit, { maxLength: 60 }).map((units) => units.join('').toWellFormed().replaceAll('\0', ''));
  await fc.assert(
    fc.asyncProperty(text, async (content) => {
      const { expected, passage, message } = await wordsOf(content);
      assert.equal(passage, expected);
      assert.equal(message, expected);
    }),
    { numRuns: 150 },
  );
});

test('has no words for messages that are damaged, encrypted or hold a zero character', async () => {
  for (const parts of ['[{', 'sealed', JSON.stringify([{ type: 'user', content: 'a\0b' }])])
    assert.equal((await query('select message_words($1)::text as words', [parts]))[0].words, null, parts);
});
