import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { cases } from '../../../../safety-eval/cases.ts';
import { readSentences } from '../../../../safety-eval/sentences.ts';
import { loadAsset } from './asset.ts';
import { listBytesOf, nameListsOf } from './messages.ts';
import { makeIsPlainText } from './plain-text.ts';
import { makeReader } from './reader.ts';

const asset = loadAsset();
const isPlainText = makeIsPlainText(nameListsOf(listBytesOf(asset)));
const reader = makeReader(asset);

const folders = ['sentences', 'people', 'people-second', 'things', 'things-second'];
const texts = [...folders.flatMap(readSentences), ...cases].map(({ text }) => text);
const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

suite('plain texts', () => {
  test('are ordinary words, numbers and signs', () => {
    for (const text of [
      'Where is the invoice of order 1042? It should have come a week ago.',
      'How do I change my password?',
      "I can't open the attachment. What should I do?",
      '',
    ])
      assert.ok(isPlainText(text), text);
  });

  test('have no names, in any case, and no words that are unknown', () => {
    for (const text of [
      'Where is the invoice of Emma?',
      'where is the invoice of emma?',
      'ask mark about the invoice',
      'ask zorblax about the invoice',
      'Said is not here.',
      'The Norwegian invoice',
      'the norwegian invoice',
      'an invoice from oslo',
      'Please ask Price about it.',
      'Это счёт',
    ])
      assert.ok(!isPlainText(text), text);
  });

  for (const [what, change] of [
    ['as they are', (text: string) => text],
    ['in lower case', lower],
  ] as const)
    test(`hold nothing that the model takes for a name, in our own sets, ${what}`, () => {
      let plain = 0;
      for (const text of texts) {
        const read = change(text);
        if (!isPlainText(read)) continue;
        plain++;
        assert.deepEqual([...reader.spansOf(read)].flat(), [], read);
      }
      assert.ok(plain > 100, `${plain} texts are plain`);
    });
});
