import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compile } from '../../../db/sql.ts';
import { cellsAsJson } from './record-change-store.ts';

const columns = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `c${at}`, position: at + 1, type: 'text' })) as never;
const textOf = (count: number) => compile(cellsAsJson(columns(count))).text;

test('a row without columns is an empty object', () => {
  assert.equal(textOf(0), "'{}'::jsonb");
});

test('the cells of many columns are several objects, since a function takes a hundred arguments at most', () => {
  assert.match(textOf(1), /^jsonb_build_object\('1', "own"\."c0"\)$/);
  assert.equal(textOf(40).split('jsonb_build_object').length - 1, 1);
  assert.equal(textOf(41).split(' || ').length, 2);
});
