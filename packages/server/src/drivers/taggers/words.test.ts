import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { makeWordTagger } from './words.ts';

const tagger = makeWordTagger();
const found = async (text: string) =>
  (await tagger.tag(text)).map(({ entity, start, end }) => `${entity} ${text.slice(start, end)}`);
const has = async (text: string, ...expected: string[]) => {
  const all = await found(text);
  for (const one of expected)
    assert.ok(all.includes(one), `${one} in ${JSON.stringify(text)}, found ${all.join(', ')}`);
};
const none = async (...texts: string[]) => {
  for (const text of texts) assert.deepEqual(await found(text), [], text);
};

suite('names by lists and phrases', () => {
  test('finds people by names, titles and the phrases before them', async () => {
    await has('I met Emma Johnson', 'PERSON Emma Johnson');
    await has('Frau Dr. Weber und Mr. van der Zwaluw', 'PERSON Weber', 'PERSON van der Zwaluw');
    await has('my name is Xyloph Quandary', 'PERSON Xyloph Quandary');
    await has('je m’appelle Camille'.replace('’', "'"), 'PERSON Camille');
    await has('Best regards,\nThomas A. Anderson', 'PERSON Thomas A. Anderson');
    await has('i am sarah and DAVID MILLER SIGNED IT', 'PERSON sarah', 'PERSON DAVID MILLER');
    await has("Elizabeth's laptop", 'PERSON Elizabeth');
  });

  test('does not take ordinary words for people, also at the start of a sentence and in headings', async () => {
    await none(
      'Will you mark the date?',
      'Hope this helps.',
      'Quarterly Sales Review',
      'Thank you very much. Please save it.',
    );
    await none(
      'I am happy',
      'This is great',
      'Dear Sir or Madam',
      'Click Save As to continue',
      'Grace period of three days',
    );
  });

  test('finds an address as one place', async () => {
    await has('at 221B Baker Street, London NW1 6XE.', 'LOCATION 221B Baker Street, London NW1 6XE');
    await has('Er wohnt Hauptstraße 5, 10115 Berlin', 'LOCATION Hauptstraße 5, 10115 Berlin');
    await has('au 12 Rue Victor Hugo, 69002 Lyon', 'LOCATION 12 Rue Victor Hugo, 69002 Lyon');
    assert.ok(!(await found('au 12 Rue Victor Hugo, 69002 Lyon')).includes('PERSON Victor Hugo'));
  });

  test('finds places and groups, also in lower case unless they are other words', async () => {
    await has('from new york to São Paulo', 'LOCATION new york', 'LOCATION São Paulo');
    await has('he is chinese, she an Englishwoman, they Catholics', 'NRP chinese', 'NRP Englishwoman', 'NRP Catholics');
    await none('please polish the turkey', 'liberal amounts of nice china');
  });

  test('reads a long text in parts without splitting or moving a name', async () => {
    const text = 'Nothing of note happened here. '
      .repeat(2000)
      .replaceAll(/(Nothing.{3000})/g, '$1 Emma Johnson said no. ');
    const spans = await tagger.tag(text);
    assert.equal(spans.length, text.split('Emma Johnson').length - 1);
    for (const { start, end } of spans) assert.equal(text.slice(start, end), 'Emma Johnson');
  });

  test('returns spans inside of any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 60 }), async (text) => {
        for (const { start, end, score } of await tagger.tag(`Mr ${text} Anna`))
          assert.ok(start >= 0 && end > start && end <= text.length + 8 && score > 0 && score < 0.9);
      }),
    );
  });
});
