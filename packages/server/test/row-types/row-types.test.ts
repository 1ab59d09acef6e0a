import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { compareRow, type RowProperty } from './compare-row.ts';
import { readRowCalls } from './read-row-types.ts';
import type { RecordedColumn } from './record-rows.ts';

const column = (name: string, type: number, number = 1): RecordedColumn => ({ name, type, table: 7, column: number });
const property = (name: string, more: Partial<RowProperty> = {}): RowProperty => ({
  ...{ name, optional: false, kind: 'string', nullable: false, text: 'string' },
  ...more,
});
const never = () => false;

test('accepts a row type whose properties are the columns', () => {
  const columns = [column('id', pg.types.builtins.UUID), column('total', pg.types.builtins.INT8)];
  assert.deepEqual(compareRow(columns, [property('id'), property('total', { kind: 'number' })], never), []);
});

test('reports a property that the statement does not return, unless it is optional', () => {
  assert.match(JSON.stringify(compareRow([], [property('name')], never)), /"name","problem":"the type has it/);
  assert.deepEqual(compareRow([], [property('name', { optional: true })], never), []);
});

test('reports a property of another type than its column', () => {
  const columns = [column('total', pg.types.builtins.INT8)];
  assert.match(
    JSON.stringify(compareRow(columns, [property('total')], never)),
    /"total","problem":"the column is a number/,
  );
});

test('reports a nullable column when its type does not include null', () => {
  const columns = [column('note', pg.types.builtins.TEXT)];
  assert.match(
    JSON.stringify(compareRow(columns, [property('note')], () => true)),
    /"note","problem":"the column may be null/,
  );
  assert.deepEqual(
    compareRow(columns, [property('note', { nullable: true })], () => true),
    [],
  );
});

test('reads the row types of the program with the compiler', () => {
  const root = fileURLToPath(new URL('../../../../', import.meta.url));
  const calls = readRowCalls(root, join(root, 'packages/server/src'), ['features/variables/store.ts']);
  const [find] = calls;
  assert.ok(calls.length >= 5);
  assert.deepEqual(
    find?.properties.find(({ name }) => name === 'allowed_hosts'),
    { name: 'allowed_hosts', optional: false, kind: 'list', nullable: true, text: 'string[] | null' },
  );
});
