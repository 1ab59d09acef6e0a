import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFigure, readCsv } from './read-csv.ts';

test('reads quoted values with separators, quotes and lines in them', () => {
  const text = '\uFEFFname,note\r\n"Vidal, Ines","says ""hello""\nand leaves"\r\nJon,\r\n\r\n';
  assert.deepEqual(readCsv(text), [
    ['name', 'note'],
    ['Vidal, Ines', 'says "hello"\nand leaves'],
    ['Jon', ''],
  ]);
});

test('finds semicolons and tabs by the first line, and stops at the limit', () => {
  assert.deepEqual(readCsv('a;b\n1,5;2'), [
    ['a', 'b'],
    ['1,5', '2'],
  ]);
  assert.deepEqual(readCsv('a\tb\n1\t2\n3\t4', 2), [
    ['a', 'b'],
    ['1', '2'],
  ]);
  assert.deepEqual(readCsv(''), []);
});

test('knows figures from words, however long they are', () => {
  for (const value of ['7', ' -1.250,00 ', '+3 %', '12 000', '0.5']) assert.ok(isFigure(value), value);
  for (const value of ['', 'x', '7a', '{2}1', '1-2', '%']) assert.ok(!isFigure(value), value);
  const spaces = ' '.repeat(300_000);
  for (const value of [`1${spaces}x`, `${spaces}x`, `${'1 '.repeat(100_000)}x`]) assert.ok(!isFigure(value));
});
