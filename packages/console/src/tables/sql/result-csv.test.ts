import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCsv } from './result-csv.ts';

test('writes rows as CSV with quotes, and makes formulas harmless', () => {
  const rows = [
    { name: 'Ada, "the first"', total: -12.5, more: { a: 1 } },
    { name: '=1+1', total: null, more: 'two\nlines' },
  ];
  assert.equal(
    writeCsv(['name', 'total', 'more'], rows),
    'name,total,more\r\n"Ada, ""the first""",-12.5,"{""a"":1}"\r\n\'=1+1,,"two\nlines"\r\n',
  );
});

test('makes names of columns harmless that look like formulas', () => {
  assert.equal(writeCsv(['=1+1'], [{ '=1+1': "'=2" }]), "'=1+1\r\n''=2\r\n");
});
