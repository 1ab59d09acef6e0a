import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePassageSet } from './passage-set.ts';
import { makePickCandidates } from './pick-candidates.ts';
import { makeReadPassageSet } from './read-passage-set.ts';
import type { SearchModel } from './search-model.ts';

const words = ['apple', 'pear', 'plum'];
const model: SearchModel = {
  ...{ rows: 10, sampled: 10, textLength: 4, headingLength: 2, dimension: 0 },
  termOf: new Map([...words.map((word, term) => [word, term] as const), ['the', -1]]),
  ...{ words, frequencies: Uint32Array.from([5, 2, 1]), vectors: new Int8Array(), scales: new Float32Array() },
};
const passage = (id: string, text: string) => ({ id, text, heading: '' });
const ask = (...asked: string[]) => asked.map((word) => ({ word, stem: word as string | null, count: 1 }));
const at = { workspace_id: 'w', kb_id: 'k', name: 'n' };

test('picks passages with any of the words, the best first, and no more than asked for', async () => {
  const rows = [passage('one', 'apple'), passage('none', 'grape'), passage('both', 'apple plum')];
  const set = await makePassageSet(model, rows, undefined);
  const pick = makePickCandidates(model, ask('apple', 'plum'));
  const picked = (most: number) => pick?.([set], most).map(({ id }) => id);
  assert.deepEqual(picked(5), ['both', 'one']);
  assert.deepEqual(picked(1), ['both']);
  const other = await makePassageSet(model, [passage('other', 'plum plum')], undefined);
  assert.deepEqual(
    pick?.([set, other], 2).map(({ id }) => id),
    ['both', 'other'],
    'of all sets together',
  );
});

test('picks passages by forms of a word that the model does not have', async () => {
  const rows = [passage('form', 'two zyzzyvas'), passage('far', 'zyzzyvalike things'), passage('same', 'a zyzzyva')];
  const set = await makePassageSet(model, rows, undefined);
  const picked = makePickCandidates(model, ask('zyzzyva'))?.([set], 5).map(({ id }) => id);
  assert.deepEqual(new Set(picked), new Set(['form', 'far', 'same']));
  const shorter = makePickCandidates(model, ask('zyzz'))?.([set], 5).map(({ id }) => id);
  assert.deepEqual(shorter, [], 'the ending is longer than such a short word has');
});

test('leaves a question with stop words to the engine', () => {
  assert.equal(makePickCandidates(model, [{ word: 'the', stem: null, count: 1 }]), undefined);
});

test('reads an index once until it is written to, and splits only passages that have changed', async () => {
  let [version, reads] = ['1', 0];
  let rows = [passage('stays', 'apple'), passage('goes', 'pear'), passage('changes', 'plum')];
  const read = makeReadPassageSet({
    versionOf: async () => version,
    readPassages: async (_, most) => {
      reads++;
      return rows.length > most ? undefined : rows;
    },
  });
  const [first, same] = await Promise.all([read(at, model), read(at, model)]);
  assert.ok(first);
  assert.equal(same, first);
  assert.equal(await read(at, model), first);
  assert.equal(reads, 1);
  rows = [passage('changes', 'plum pear'), passage('stays', 'apple')];
  version = '2';
  const second = await read(at, model);
  assert.deepEqual(
    second?.passages.map(({ id, known }) => [id, ...known.text]),
    [
      ['changes', 2, 1],
      ['stays', 0],
    ],
  );
  assert.equal(second?.passages[1]?.known, first.passages[0]?.known);
  const other = { ...model, termOf: new Map([['apple', 2]]) };
  assert.deepEqual((await read(at, other))?.passages.at(-1)?.known.text, Int32Array.of(2), 'by another model');
  rows = Array.from({ length: 2001 }, (_, place) => passage(String(place), 'apple'));
  version = '3';
  const before = reads;
  assert.equal(await read(at, model), undefined);
  assert.equal(await read(at, model), undefined);
  assert.equal(reads, before + 1, 'a large index is counted once');
});

test('reads an index again after it could not be read', async () => {
  let fails = true;
  const read = makeReadPassageSet({
    versionOf: async () => '1',
    readPassages: async () => {
      if (fails) throw new Error('The disk is away');
      return [passage('one', 'apple')];
    },
  });
  await assert.rejects(read(at, model), /The disk is away/);
  fails = false;
  assert.equal((await read(at, model))?.passages.length, 1);
});
