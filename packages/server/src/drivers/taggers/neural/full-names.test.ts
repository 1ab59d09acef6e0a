import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadAsset } from './asset.ts';
import { makeFullNames } from './full-names.ts';
import { makeReader } from './reader.ts';

const asset = loadAsset();
const find = makeFullNames(asset);
const found = (text: string) => {
  const words = text.split(' ');
  return find(words, []).map(({ first, end }) => words.slice(first, end).join(' '));
};

test('finds a given name with a family name behind it', () => {
  assert.deepEqual(found('The kitten of Anna Schmidt sleeps'), ['Anna Schmidt']);
  assert.deepEqual(found('Peter Novak and Maria Garcia agree'), ['Peter Novak', 'Maria Garcia']);
});

test('finds nothing in small letters, common words and single names', () => {
  for (const text of ['anna schmidt', 'Will Power', 'Anna sleeps', 'The Schmidt report', 'New York'])
    assert.deepEqual(found(text), [], text);
});

test('adds nothing where the model has found a name, whatever its kind', () => {
  const words = 'I know Anna Schmidt .'.split(' ');
  assert.deepEqual(find(words, [{ kind: 'ORG', first: 2, end: 4, share: 0.7 }]), []);
  const runs = makeReader(asset).runsOf(words);
  assert.equal(runs.filter(({ kind }) => kind === 'PERSON').length, 1);
});
