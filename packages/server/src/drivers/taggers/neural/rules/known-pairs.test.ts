import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadAsset } from '../asset.ts';
import { makeDropNamesakes, makeKnownPairs } from './known-pairs.ts';

const asset = loadAsset();
const pairs = makeKnownPairs(asset);
const drop = makeDropNamesakes(asset);

test('knows the first two words of things and of places, in any case and without accents', () => {
  assert.ok(pairs.isThing('Visual', 'Studio') && pairs.isThing('JOHNNIE', 'WALKER'));
  assert.ok(pairs.isPlace('San', 'Francisco') && pairs.isPlace('São', 'Paulo') && pairs.isPlace('Sao', 'Paulo'));
  assert.ok(
    !pairs.isThing('Anna', 'Schmidt') && !pairs.isPlace('Anna', 'Schmidt') && !pairs.isThing('Walker', 'Johnnie'),
  );
});

test('drops a person with the name of a thing only when the model is unsure', () => {
  const kept = (name: string, share: number) =>
    drop(name.split(' '), [{ kind: 'PERSON', first: 0, end: name.split(' ').length, share }]).length;
  assert.equal(kept('Johnnie Walker', 0.4), 0);
  assert.equal(kept('Johnnie Walker', 0.9), 1);
  assert.equal(kept('Anna Schmidt', 0.4), 1);
  assert.equal(kept('Johnnie', 0.4), 1);
});

test('keeps things, and people whose name is longer than the name of a thing', () => {
  const kept = (kind: 'PERSON' | 'ORG', name: string) => {
    const words = name.split(' ');
    return drop(words, [{ kind, first: 0, end: words.length, share: 0.4 }]).length;
  };
  assert.deepEqual([kept('ORG', 'Johnnie Walker'), kept('PERSON', 'Johnnie Walker Schmidt')], [1, 1]);
  assert.equal(kept('PERSON', 'Johnnie Walker'), 0);
});
