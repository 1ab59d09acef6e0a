import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dropArticles } from './articles.ts';

const kept = (text: string, kind = 'PERSON') => {
  const words = text.split(' ');
  return dropArticles(words, [{ kind, first: 0, end: words.length, share: 0.6 }]).length;
};

test('drops an article with a word in small letters behind it', () => {
  for (const text of ['El coche', 'Die lampe', 'Une lettre perdue', 'Het boek']) assert.equal(kept(text), 0, text);
});

test('keeps names that begin like an article, names in small letters, and other entities', () => {
  for (const text of ['El Khoury', 'De la Cruz', 'Los', 'la toya', 'Anna lind']) assert.equal(kept(text), 1, text);
  assert.equal(kept('El paso', 'LOCATION'), 1);
});

test('looks at the words of a person alone, wherever they stand', () => {
  const runs = (first: number, end: number) =>
    dropArticles(['Gestern', 'kam', 'Die', 'lampe'], [{ kind: 'PERSON', first, end, share: 0.6 }]).length;
  assert.equal(runs(2, 4), 0);
  assert.equal(runs(2, 3), 1, 'the word behind it is none of its own');
});
