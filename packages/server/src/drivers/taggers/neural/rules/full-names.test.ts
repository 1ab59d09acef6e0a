import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadAsset } from '../asset.ts';
import { makeReader } from '../reader.ts';
import { makeFullNames } from './full-names.ts';

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
  for (const text of ['anna schmidt', 'Will Power', 'Anna sleeps', 'The Schmidt report', 'New York', 'Johnnie Walker'])
    assert.deepEqual(found(text), [], text);
});

test('takes a word that is on no list for a family name', () => {
  assert.deepEqual(found('The kitten of Anna Zorblaxen sleeps'), ['Anna Zorblaxen']);
});

test('finds a full name that the model took for a firm of just these two words', () => {
  const words = 'The cat of Anna Schmidt Holding and Peter Novak'.split(' ');
  const firms = [
    { kind: 'ORG', first: 3, end: 6, share: 0.7 },
    { kind: 'ORG', first: 7, end: 9, share: 0.7 },
  ];
  assert.deepEqual(
    find(words, firms).map(({ first }) => first),
    [7],
  );
});

test('adds nothing where the model has found a person or a place', () => {
  const words = 'I know Anna Schmidt .'.split(' ');
  for (const kind of ['PERSON', 'LOCATION'])
    assert.deepEqual(find(words, [{ kind, first: 2, end: 4, share: 0.7 }]), [], kind);
  const runs = makeReader(asset).runsOf(words);
  assert.equal(runs.filter(({ kind }) => kind === 'PERSON').length, 1);
});
