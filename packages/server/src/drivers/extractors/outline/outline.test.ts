import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cutBefore } from '../../../lib/text/cut-text.ts';
import { makeExtract } from '../extract.ts';
import { makeOutline } from './make-outline.ts';

const extract = makeExtract();
async function outlineOf(filename: string, content: Buffer | string, max_chars = 2_000_000) {
  const bytes = (async function* () {
    yield Buffer.from(content as string);
  })();
  const file = { filename, content_type: '' };
  const signal = new AbortController().signal;
  return makeOutline(await extract(bytes, { ...file, max_chars, signal }), file, cutBefore);
}
const golden = (name: string) => readFileSync(join(import.meta.dirname, '../../../../test/golden/files', name));

test('names the columns of a CSV with their types, examples, rows and the first rows', async () => {
  const rows = Array.from({ length: 900 }, (_, n) => `${n + 1};"Müller; ${n}";${n / 2};2026-01-0${(n % 9) + 1};yes;`);
  const { kind, tables } = await outlineOf('orders.csv', ['id;name;price;day;paid;note', ...rows, ''].join('\n'));
  const [table] = tables;
  assert.deepEqual([kind, table?.rows, table?.column_count], ['table', 900, 6]);
  assert.deepEqual(
    table?.columns.map(({ name, type }) => [name, type]),
    [
      ['id', 'integer'],
      ['name', 'text'],
      ['price', 'number'],
      ['day', 'date'],
      ['paid', 'boolean'],
      ['note', 'empty'],
    ],
  );
  assert.deepEqual(table?.columns[1]?.examples, ['Müller; 0', 'Müller; 1', 'Müller; 2']);
  assert.deepEqual(table?.first_rows[0], ['1', 'Müller; 0', '0', '2026-01-01', 'yes', '']);
  assert.equal(table?.first_rows.length, 5);
});

test('numbers the columns of a table without names', async () => {
  const { tables } = await outlineOf('values.tsv', '1\t2.5\n3\t4\n');
  assert.deepEqual(
    tables[0]?.columns.map(({ name, type }) => [name, type]),
    [
      ['column 1', 'integer'],
      ['column 2', 'number'],
    ],
  );
  assert.equal(tables[0]?.rows, 2);
});

test('names the sheets of a workbook', async () => {
  const { kind, tables, table_count } = await outlineOf('orders.xlsx', golden('orders.xlsx'));
  assert.equal(kind, 'table');
  assert.equal(tables.length, table_count);
  assert.ok(tables.every(({ name, columns }) => name && columns.length > 0));
  assert.ok((tables[0]?.rows ?? 0) > 0);
});

test('names the headings, pages and first paragraph of a document', async () => {
  const pdf = await outlineOf('report.pdf', golden('report.pdf'));
  assert.equal(pdf.kind, 'document');
  assert.ok((pdf.pages ?? 0) > 0);
  assert.equal(pdf.headings[0]?.text, 'Field notes');
  const docx = await outlineOf('guide.docx', golden('guide.docx'));
  assert.equal(docx.headings[0]?.text, 'Visitor guide');
  assert.ok(docx.first_paragraph.length > 10);
});

test('names the keys of JSON, of a list those of its first entry', async () => {
  const one = await outlineOf('a.json', JSON.stringify({ name: 'Heron', parts: [1, 2], more: { a: 1 }, none: null }));
  assert.deepEqual(one.keys, [
    { name: 'name', holds: 'string, such as "Heron"' },
    { name: 'parts', holds: 'list of 2' },
    { name: 'more', holds: 'object with 1 keys' },
    { name: 'none', holds: 'null' },
  ]);
  const list = await outlineOf('b.json', '[{"id":1},{"id":2}]');
  assert.deepEqual([list.entries, list.keys[0]?.name], [2, 'id']);
  const lines = await outlineOf('c.jsonl', '{"id":1}\n{"id":2}\n{"id":3}\n');
  assert.deepEqual([lines.entries, lines.keys[0]?.name], [3, 'id']);
  const cut = await outlineOf('d.json', '[{"id":1},{"id":2}]', 10);
  assert.deepEqual([cut.kind, cut.first_lines], ['text', ['[{"id":1},']]);
});

test('shows the first lines of text and programs', async () => {
  const { kind, first_lines, line_count } = await outlineOf('main.txt', 'import os\n\nprint(os.name)\n'.repeat(50));
  assert.deepEqual([kind, first_lines.length, line_count], ['text', 30, 151]);
  assert.equal(first_lines[0], 'import os');
});

test('leaves out a value that it would have to cut in two', async () => {
  const long = `${'x'.repeat(40)}.hidden.person@corp-mail.example`;
  const { tables } = await outlineOf('people.csv', `mail,said\n${long},${'word '.repeat(30)}4111 1111 1111 1111\n`);
  assert.deepEqual(tables[0]?.first_rows[0]?.[0], '…');
  assert.match(tables[0]?.first_rows[0]?.[1] ?? '', /^(?:word ){10,12}…$/);
});
