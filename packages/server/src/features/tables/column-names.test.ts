import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstFreeName, plainName, sqlNameFor } from './column-names.ts';

test('takes the first name that is free', () => {
  const taken = new Set(['a', 'a_2']);
  const isTaken = (name: string) => taken.has(name);
  assert.deepEqual([firstFreeName('a', isTaken), firstFreeName('b', isTaken)], ['a_3', 'b']);
});

test('makes a name that SQL takes without quotes', () => {
  assert.equal(plainName(' Größe (cm)', 'data'), 'gro_e_cm');
  assert.deepEqual(
    [plainName('2024', 'data'), plainName('pg_x', 'data'), plainName('!', 'data')],
    ['data_2024', 'data_pg_x', 'data'],
  );
  assert.equal(plainName('x'.repeat(80), 'data').length, 50);
});

test('gives a table the wanted name only when SQL takes it and it is free', () => {
  const others = new Set(['orders']);
  assert.equal(sqlNameFor('Orders', others, 'sales'), 'sales');
  assert.equal(sqlNameFor('Orders', others, 'orders'), 'orders_2');
  assert.equal(sqlNameFor('Select', others, 'select'), 'select_table');
});
