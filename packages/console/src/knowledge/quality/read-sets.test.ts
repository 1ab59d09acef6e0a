import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSets } from './read-sets.ts';

test('reads the sets and passes over what other clients wrote when it is no set', () => {
  const question = { query: 'How long is leave?', document_ids: ['a'] };
  const set = { id: 's', name: 'First week', questions: [question, { query: 7 }, null] };
  assert.deepEqual(readSets({ question_sets: [set, 'x', null, { id: 's2' }], colour: 'red' }), [
    { id: 's', name: 'First week', questions: [question] },
  ]);
});

test('has no sets when the data of the knowledge base has none', () => {
  assert.deepEqual(readSets({}), []);
  assert.deepEqual(readSets({ question_sets: 'many' }), []);
});
