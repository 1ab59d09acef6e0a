import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CellColumn, readCell, sayCell, writeCell } from './cell-values.ts';

const column = (type: CellColumn['type'], choices: CellColumn['choices'] = null): CellColumn => ({
  ...{ name: 'c', type, choices },
});

test('reads typed text as a value of the column, and nothing as an empty cell', () => {
  const read = (type: CellColumn['type'], text: string) => readCell(column(type), text);
  assert.deepEqual(read('integer', ' 12 '), { value: 12 });
  assert.deepEqual(read('number', '-1.5e3'), { value: -1500 });
  assert.deepEqual(read('boolean', 'Yes'), { value: true });
  assert.deepEqual(read('date', '2026-11-30'), { value: '2026-11-30' });
  assert.deepEqual(read('datetime', '2026-11-30T09:00:00Z'), { value: '2026-11-30T09:00:00.000Z' });
  assert.deepEqual(read('json', '{"a":[1]}'), { value: { a: [1] } });
  assert.deepEqual(read('reference', '12'), { value: 12 });
  assert.deepEqual(read('text', ' as it is '), { value: ' as it is ' });
  for (const type of ['text', 'integer', 'json', 'date'] as const) assert.deepEqual(read(type, ' '), { value: null });
});

test('refuses text that is no value of the column', () => {
  for (const [type, text] of [
    ...[['integer', '1.5'] as const, ['number', 'n/a'] as const, ['boolean', 'maybe'] as const],
    ...[['date', '2026-02-30'] as const, ['datetime', 'soon'] as const, ['json', '{'] as const, ['uuid', 'x'] as const],
  ])
    assert.ok('fault' in readCell(column(type), text), `${type} ${text}`);
});

test('takes choices by value or label, and shows the label', () => {
  const state = column('text', [{ value: 'new', label: 'New order' }]);
  assert.deepEqual(readCell(state, 'new'), { value: 'new' });
  assert.deepEqual(readCell(state, 'New order'), { value: 'new' });
  assert.ok('fault' in readCell(state, 'old'));
  assert.equal(sayCell(state, 'new'), 'New order');
  assert.equal(writeCell(state, 'new'), 'new');
});
