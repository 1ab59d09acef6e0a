import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readCells, writeCells } from './clipboard-text.ts';

test('reads the cells of a spreadsheet with quotes, breaks and an end of line', () => {
  assert.deepEqual(readCells('a\tb\r\nc\t\r\n'), [
    ['a', 'b'],
    ['c', ''],
  ]);
  assert.deepEqual(readCells('"two\nlines"\t"say ""hi"""\n5" pipe\tx'), [
    ['two\nlines', 'say "hi"'],
    ['5" pipe', 'x'],
  ]);
  assert.deepEqual(readCells('one'), [['one']]);
  assert.deepEqual(readCells(''), [['']]);
});

test('reads what it has written, for any text in the cells', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', '\t', '\n', '\r', ' ', 'ü') });
  const rows = fc
    .integer({ min: 1, max: 4 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 5 }));
  fc.assert(
    fc.property(rows, (cells) => {
      // A last row of one empty cell reads as the end of the row before.
      if (cells.length > 1 && cells.at(-1)?.join('') === '' && cells.at(-1)?.length === 1) return;
      assert.deepEqual(readCells(writeCells(cells)), cells);
    }),
  );
});
