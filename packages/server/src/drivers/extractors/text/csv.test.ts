import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pieces } from '../conformance.ts';
import { type ExtractOptions, NotExtractable } from '../driver.ts';
import { csvExtractor } from './csv.ts';
import { delimiterOf } from './detect-delimiter.ts';

const read = (content: string | Buffer, choices: Partial<ExtractOptions> = {}) =>
  csvExtractor.extract(pieces(content, 65_536), {
    ...{ filename: 'a.csv', content_type: 'text/csv', max_chars: 1_000_000, signal: AbortSignal.timeout(30_000) },
    tabular: { layout: 'records' },
    ...choices,
  });
const rowsOf = async (content: string | Buffer, choices?: Partial<ExtractOptions>) =>
  (await read(content, choices)).tables[0]?.rows;
const refusal = (content: string | Buffer, choices?: Partial<ExtractOptions>) =>
  assert.rejects(read(content, choices), (error) => error instanceof NotExtractable && error.code === 'unreadable');

test('the delimiter is the one that is there equally often in each line', () => {
  assert.equal(delimiterOf('a;b;c\n1,5;2,5;x\n'), ';');
  assert.equal(delimiterOf('a,b\n"x;y;z",2\n"x;y;z",3\n'), ',');
  assert.equal(delimiterOf('a\tb\nx, y\tz\n'), '\t');
  assert.equal(delimiterOf('a|b|c\n1|2|3\n'), '|');
  assert.equal(delimiterOf('just a line'), ',');
  assert.equal(delimiterOf('a;b'), ';');
  assert.equal(delimiterOf(''), ',');
});

test('a delimiter that is given is taken', async () => {
  assert.deepEqual(await rowsOf('a;b,c\n1;2,3\n', { csv: { delimiter: ',' } }), [
    ['a;b', 'c'],
    ['1;2', '3'],
  ]);
  assert.deepEqual(await rowsOf('a;b\n1;2\n', { csv: { delimiter: '' } }), [
    ['a', 'b'],
    ['1', '2'],
  ]);
});

test('a table is read in the encoding it is said to be in, and in no other', async () => {
  const table = 'größe,preis\n5,4 €\n';
  const cells = [
    ['größe', 'preis'],
    ['5', '4 €'],
  ];
  const ansi = Buffer.from(table.replace('€', '\x80'), 'latin1');
  const wide = Buffer.from(`\ufeff${table}`, 'utf16le');
  assert.deepEqual(await rowsOf(table, { csv: { encoding: 'utf-8' } }), cells);
  assert.deepEqual(await rowsOf(`\ufeff${table}`, { csv: { encoding: 'UTF8' } }), cells);
  assert.deepEqual(await rowsOf(ansi, { csv: { encoding: 'windows-1252' } }), cells);
  assert.deepEqual(await rowsOf(wide, { csv: { encoding: 'utf-16le' } }), cells);
  for (const bytes of [table, ansi, wide]) assert.deepEqual(await rowsOf(bytes), cells);
  await refusal(ansi, { csv: { encoding: 'utf-8' } });
  await refusal(wide, { csv: { encoding: 'utf-8' } });
  await refusal(table, { csv: { encoding: 'iso-8859-1' } });
  await refusal(wide, { csv: { encoding: 'iso-8859-1' } });
  await refusal(Buffer.concat([Buffer.from(`a,${'b'.repeat(100)}\n`.repeat(20_000)), ansi]), {
    csv: { encoding: 'utf-8' },
  });
});

test('rows may be of different lengths, empty ones are none, and columns without a name have a number', async () => {
  const { text, tables } = await read('name,\n\nDesk,3,x\n ,\nLamp\n');
  assert.equal(text, 'name: Desk\ncolumn 2: 3\ncolumn 3: x\n\nname: Lamp');
  assert.deepEqual(tables[0]?.rows, [['name', ''], ['Desk', '3', 'x'], ['Lamp']]);
});

test('applies max_text_rows and max_rows, each with a warning', async () => {
  const table = `id\n${Array.from({ length: 5000 }, (_, index) => index).join('\n')}\n`;
  const tabular = { layout: 'records' as const, max_text_rows: 1000, max_rows: 2000 };
  const { blocks, tables, warnings } = await read(table, { tabular });
  assert.deepEqual([blocks.length, tables[0]?.rows.length], [1000, 2001]);
  assert.deepEqual(warnings, [
    'Only the first 2000 rows were read; the rest was left out.',
    'Only the first 1000 of 2000 rows are in the text.',
  ]);
});

test('a row without an end is refused', async () => {
  await refusal(`a,"${'x'.repeat(3_000_000)}`);
});
