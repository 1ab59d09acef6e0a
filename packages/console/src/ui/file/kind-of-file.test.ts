import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languageOf, lookOf } from './kind-of-file.ts';

test('shows each kind of file as what it is', () => {
  const looks = [
    ['a.png', 'image/png'],
    ['a.pdf', 'application/pdf'],
    ['a.csv', 'text/plain; charset=utf-8'],
    ['a.py', 'text/plain'],
    ['a', 'application/json'],
    ['a.txt', 'text/plain'],
    ['a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['a.svg', 'image/svg+xml'],
    ['a.zip', 'application/zip'],
  ].map(([name = '', type = '']) => lookOf(name, type));
  assert.deepEqual(looks, ['picture', 'pdf', 'csv', 'code', 'code', 'text', 'office', 'code', 'none']);
  assert.deepEqual([languageOf('x.YML'), languageOf('x.unknown')], ['yaml', undefined]);
});
