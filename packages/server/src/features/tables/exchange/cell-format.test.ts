import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCellFormat } from './cell-format.ts';

const read = (text: string) => {
  const format = readCellFormat(text, ['query', 'format']);
  assert.ok(format);
  return format;
};

test('reads numbers and dates as a locale writes them', () => {
  const german = read('de-DE');
  assert.deepEqual([german.datePattern, german.numberExample], ['DD.MM.YYYY', '1.234,5']);
  assert.deepEqual([german.date('31.12.2025'), german.number('1.234,5')], ['2025-12-31', '1234.5']);
  assert.deepEqual([read('en-US').datePattern, read('hu').datePattern], ['MM/DD/YYYY', 'YYYY. MM. DD.']);
});

test('leaves the marks of direction out of the dates of Arabic', () => {
  const arabic = read('ar-EG');
  assert.equal(arabic.datePattern, 'DD/MM/YYYY');
  assert.equal(arabic.date('31/12/2025'), '2025-12-31');
});
