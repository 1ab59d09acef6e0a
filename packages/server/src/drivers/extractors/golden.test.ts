import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sniff } from '../../features/files/sniff.ts';
import { pieces } from './conformance.ts';
import { type Extracted, type ExtractOptions, NotExtractable } from './driver.ts';
import { makeExtract } from './extract.ts';

const folder = join(import.meta.dirname, '../../../test/golden/files');
const extract = makeExtract();

/** A file as it is stored: its kind is found by its bytes. */
async function read(filename: string, choices: Partial<ExtractOptions> = {}): Promise<Extracted> {
  const bytes = await readFile(join(folder, filename));
  const content_type = await sniff(bytes, filename);
  const options = { filename, content_type, max_chars: 100_000, signal: AbortSignal.timeout(120_000) };
  const extracted = await extract(pieces(bytes), { ...options, ...choices });
  for (const { start, end } of extracted.blocks) assert.ok(start < end && end <= extracted.text.length);
  return extracted;
}

/** The blocks as one reads them: kind, page, headings, text. */
const outline = ({ blocks, text }: Extracted) =>
  blocks.map(({ kind, page, headings, start, end }) =>
    [kind, ...(page ? [page] : []), headings.join(' > '), text.slice(start, end)].join(' | '),
  );
const headingsOf = ({ blocks, text }: Extracted) =>
  blocks.filter(({ kind }) => kind === 'heading').map(({ start, end, level }) => [level, text.slice(start, end)]);

const prices = [
  ['Zone', 'Per day'],
  ['Blue', '4 €'],
  ['Red', '9 €'],
];
const guide = `# Visitor guide

Visitors may park in the blue zone.

## Rules

- Wear the badge.
- Leave by six.

## Prices

| Zone | Per day |
| --- | --- |
| Blue | 4 € |
| Red | 9 € |`;

test('text is read in paragraphs, with its white space or without', async () => {
  const written = await read('guide.txt', { detect_language: true });
  assert.equal(
    written.text,
    'Visitors   may park in the blue zone\nand nowhere else.\n\n\nLeave by six: café closes.\n',
  );
  assert.equal(written.language, 'en');
  assert.deepEqual(outline(written), [
    'paragraph |  | Visitors   may park in the blue zone\nand nowhere else.',
    'paragraph |  | Leave by six: café closes.',
  ]);
  const folded = await read('guide.txt', { text: { preserve_formatting: false } });
  assert.equal(folded.text, 'Visitors may park in the blue zone and nowhere else.\n\nLeave by six: café closes.');
});

test('Markdown keeps its words and shows its headings', async () => {
  const found = await read('guide.md');
  assert.equal(found.title, 'Visitor guide');
  assert.deepEqual(outline(found), [
    'heading |  | # Visitor guide',
    'paragraph | Visitor guide | Visitors may park in the *blue zone*\nand nowhere else.',
    'heading | Visitor guide | ## Rules',
    'list_item | Visitor guide > Rules | - Wear the badge.',
    'list_item | Visitor guide > Rules | - Leave by six.',
    'table | Visitor guide > Rules | | Zone | Per day |\n|------|---------|\n| Blue | 4 € |',
    'code | Visitor guide > Rules | ```\n# no heading\n```',
    'heading | Visitor guide | Opening hours\n-------------',
    'paragraph | Visitor guide > Opening hours | Nine to six.',
  ]);
});

test('a web page is what a reader sees of it', async () => {
  const found = await read('page.html');
  assert.equal(found.title, 'Visitor guide');
  assert.deepEqual(headingsOf(found), [
    [1, '# Visitor guide'],
    [2, '## Rules'],
    [2, '## Prices'],
  ]);
  assert.deepEqual(found.tables, [{ name: null, page: null, rows: prices }]);
  assert.match(found.text, /blue zone, see the map\.\n\n## Rules\n\n- Wear the badge\.\n\n- Leave by six\./);
  const all = await read('page.html', { html: { text_only: false, images: true } });
  assert.match(all.text, /see \[the map\]\(\/map\?a=1&b=2\)/);
  assert.match(all.text, /!\[Map of the zones\]\(\/zones\.png\)/);
});

test('a PDF is read page by page, column by column, with its words whole', async () => {
  const found = await read('report.pdf', { images: true, detect_language: true });
  assert.deepEqual([found.title, found.pages, found.language], ['Field notes', 3, 'en']);
  assert.deepEqual(outline(found), [
    'heading | 1 |  | # Field notes',
    'paragraph | 1 | Field notes | The heron waits at the edge of the pond until a fish comes near. It is a patient bird and its strike is very quick.',
    'paragraph | 1 | Field notes | In winter the pond is frozen, and the herons go to the river, where they find the water open and flowing all year.',
    'heading | 1 | Field notes | ## Counts',
    'table | 1 | Field notes > Counts | | Month | Herons |\n| --- | --- |\n| May | 14 |\n| June | 9 |',
    'heading | 2 | Field notes | ## Method',
    'paragraph | 2 | Field notes > Method | We counted at dawn.',
    'list_item | 2 | Field notes > Method | - from the bridge',
    'list_item | 2 | Field notes > Method | - from the tower',
    'paragraph | 2 | Field notes > Method | The second count was made from the boat.',
    'paragraph | 2 | Field notes > Method | A third was not made.',
  ]);
  const rows = [
    ['Month', 'Herons'],
    ['May', '14'],
    ['June', '9'],
  ];
  assert.deepEqual(found.tables, [{ name: null, page: 1, rows }]);
  assert.deepEqual(
    found.images.map(({ name, page, content_type }) => [name, page, content_type]),
    [['page-3-1.png', 3, 'image/png']],
  );
  assert.deepEqual(found.warnings, ['Page 3 has no text: it may be scanned, and OCR is off.']);
});

test('a PDF is read in any script, also by encodings that it only names', async () => {
  const { blocks, text } = await read('scripts.pdf');
  assert.deepEqual(
    blocks.map(({ page, start, end }) => [page, text.slice(start, end)]),
    [
      [1, 'Серая цапля ждёт у пруда.'],
      [2, 'Ο ερωδιός περιμένει.'],
      [3, '苍鹭站在池塘边等待一条鱼。'],
      [4, 'האנפה מחכה 14 שעות.'],
      [5, 'البلشون ينتظر'],
      [6, '苍鹭站在池塘边等待 3 条鱼。'],
      [7, '苍鹭 Heron'],
      [8, '蒼鷺等待'],
      [9, '鷺鳥'],
      [10, 'アオサギ ｱ'],
      [11, 'アケ'],
      [12, '왜가리'],
    ],
  );
});

test('a scanned page that is not read by OCR is named', async () => {
  const none = await read('report.pdf', { ocr: { enabled: true, max_pages: 0 } });
  assert.deepEqual(none.warnings, ['Page 3 has no text: only 0 scanned pages are read.']);
});

test('a document of a word processor has headings, lists, tables and images', async () => {
  const found = await read('guide.docx', { images: true });
  assert.equal(found.text, `${guide}\n\nImage: Map of the zones`);
  assert.equal(found.title, 'Visitor guide');
  assert.deepEqual(headingsOf(found), [
    [1, '# Visitor guide'],
    [2, '## Rules'],
    [2, '## Prices'],
  ]);
  assert.deepEqual(found.tables, [{ name: null, page: null, rows: prices }]);
  assert.deepEqual(
    found.images.map(({ alt, content_type, data }) => [alt, content_type, data.length > 100]),
    [['Map of the zones', 'image/png', true]],
  );
});

test('a presentation is read slide by slide in its order, with notes', async () => {
  const found = await read('review.pptx', { images: true });
  assert.deepEqual([found.title, found.pages], ['Quarterly review', 2]);
  assert.deepEqual(outline(found), [
    'heading | 1 |  | # Quarterly review',
    'paragraph | 1 | Quarterly review | We grew by a third.',
    'paragraph | 1 | Quarterly review | Notes: Thank the team first.',
    'heading | 2 |  | # Numbers',
    'list_item | 2 | Numbers | - Sales',
    'list_item | 2 | Numbers |   - North',
    'list_item | 2 | Numbers | - Costs',
    'table | 2 | Numbers | | Quarter | Sales |\n| --- | --- |\n| Q1 | 120 |\n| Q2 | 160 |',
    'image | 2 | Numbers | Image: Chart of the growth',
  ]);
  assert.deepEqual([found.images[0]?.alt, found.images[0]?.page], ['Chart of the growth', 2]);
});

const orders = [
  ['Item', 'Count', 'Ordered', 'Total'],
  ['Desk', '3', '2024-01-01', '3.3'],
  ['Lamp', '', '2024-01-02 18:00:00', 'n/a'],
  ['TRUE', '#DIV/0!'],
];

test('a workbook has sheets, dates as dates, and what its formulas gave', async () => {
  const found = await read('orders.xlsx');
  const table = orders.map((row) => row.join('\t')).join('\n');
  assert.equal(found.text, `# Orders\n\n${table}\n\n# Rates\n\n0.19\t12`);
  assert.deepEqual(
    found.tables.map(({ name, rows }) => [name, rows]),
    [
      ['Orders', orders],
      ['Rates', [['0.19', '12']]],
    ],
  );
});

test('rows are records where that is asked for', async () => {
  const found = await read('orders.xlsx', { tabular: { layout: 'records' } });
  assert.deepEqual(outline(found).slice(0, 4), [
    'heading |  | # Orders',
    'row | Orders | Item: Desk\nCount: 3\nOrdered: 2024-01-01\nTotal: 3.3',
    'row | Orders | Item: Lamp\nOrdered: 2024-01-02 18:00:00\nTotal: n/a',
    'row | Orders | Item: TRUE\nCount: #DIV/0!',
  ]);
  assert.deepEqual(found.tables[0]?.rows, orders);
  const csv = await read('orders.csv', { tabular: { layout: 'records' } });
  assert.equal(
    csv.text,
    'Item: Desk\nCount: 3\nNote: oak; solid\n\nItem: Lamp\nNote: two\nlines\n\nItem: Chair\nCount: 12\nNote: 5 €',
  );
  assert.deepEqual(csv.tables[0]?.rows[0], ['Item', 'Count', 'Note']);
  const tsv = await read('orders.tsv', { tabular: { layout: 'records', headers: false } });
  assert.equal(tsv.text, 'Desk\t3\n\nLamp "L"\t');
});

test('keeps CSV, TSV, JSON, YAML and XML as written', async () => {
  assert.equal(
    (await read('orders.csv')).text,
    'Item;Count;Note\nDesk;3;"oak; solid"\nLamp;;"two\nlines"\nChair;12;5 €\n',
  );
  assert.equal((await read('orders.tsv')).text, 'Item\tCount\nDesk\t3\nLamp "L"\t\n');
  assert.equal((await read('order.json')).text, '{"item": "Desk", "id": 12345678901234567890}\n');
  assert.equal((await read('order.yaml')).text, 'item: Desk\ncount: 3\n');
  assert.deepEqual(outline(await read('orders.jsonl')), ['row |  | {"item": "Desk"}', 'row |  | {"item": "Lamp"}']);
  const { text, warnings } = await read('order.xml');
  assert.deepEqual([text.split('\n')[1], warnings], ['<order><item count="3">Desk</item></order>', []]);
});

test('extracts the headers, the body and the attachments of an e-mail', async () => {
  const found = await read('mail.eml');
  assert.equal(found.title, 'The parking plan');
  assert.equal(
    found.text,
    `From: Jürgen <jurgen@example.com>
To: Ann <ann@example.com>, bob@example.com
Date: 2026-01-05T08:30:00.000Z
Subject: The parking plan

Grüße,

the plan is attached.

## Attachment: note.txt

Zone blue is free.

## Attachment: guide.docx

${guide}

## Attachment: plan.bin

[It could not be read: there is no way yet to read text from application/octet-stream.]

## Attachment: older.eml

Subject: Older plan

The first plan was red.`,
  );
  assert.deepEqual(found.tables, [{ name: null, page: null, rows: prices }]);
  const table = found.blocks.find(({ kind }) => kind === 'table');
  assert.deepEqual(table?.headings, ['Attachment: guide.docx', 'Visitor guide', 'Prices']);
});

test('e-mails that were forwarded within others are read, a few deep', async () => {
  let mail = 'Subject: level 6\r\n\r\nbody 6\r\n';
  for (let level = 5; level >= 0; level--)
    mail = `Subject: level ${level}\r\nContent-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n\r\nbody ${level}\r\n--b${level}\r\nContent-Type: message/rfc822; name=${level + 1}.eml\r\nContent-Disposition: attachment\r\n\r\n${mail}\r\n--b${level}--\r\n`;
  const options = { filename: 'a.eml', content_type: 'message/rfc822', max_chars: 10_000 };
  const { text } = await extract(pieces(Buffer.from(mail)), { ...options, signal: AbortSignal.timeout(60_000) });
  assert.deepEqual(text.match(/body \d/g), ['body 0', 'body 1', 'body 2', 'body 3', 'body 4']);
  assert.match(text, /Attachment: 5\.eml\n\n\[It was not read: it lies more than 4 e-mails deep\.\]/);
});

test('an image is its name, or the text in it', async () => {
  const off = await read('heron.png');
  assert.deepEqual([off.text, off.warnings.length], ['Image: heron.png', 1]);
  const on = await read('heron.png', { ocr: { enabled: true, language: 'de' } });
  assert.equal(on.text, 'THE HERON STANDS\nIN THE POND');
  assert.deepEqual(on.warnings, ['There is no data to read "de" in images; it was read as English.']);
});

const records = { tabular: { layout: 'records' as const } };
const refused: [file: string, code: NotExtractable['code'], message: string, choices?: Partial<ExtractOptions>][] = [
  ['binary.txt', 'unreadable', 'it is not text'],
  ['quote.csv', 'unreadable', 'a quote in it is never closed', records],
  ['../orders.csv', 'unreadable', 'it is not utf-8 text', { ...records, csv: { encoding: 'utf-8' } }],
  [
    '../guide.md',
    'unreadable',
    'it is not latin1 text, but utf-8',
    { ...records, content_type: 'text/csv', csv: { encoding: 'latin1' } },
  ],
  ['quote.csv', 'unreadable', 'there is no encoding called "klingon"', { ...records, csv: { encoding: 'klingon' } }],
  ['cut.pdf', 'unreadable', 'it is damaged, or no PDF'],
  ['locked.pdf', 'encrypted', 'it is protected with a password'],
  ['cut.docx', 'unreadable', 'it is damaged: its parts can not be found'],
  ['markup.docx', 'unreadable', 'it is damaged: one of its parts is not well-formed'],
  ['cut.pptx', 'unreadable', 'it is damaged: its parts can not be found'],
  ['cut.xlsx', 'unreadable', 'it is damaged: its parts can not be found'],
  ['markup.xlsx', 'unreadable', 'it is damaged: one of its parts is not well-formed'],
  ['no.eml', 'unreadable', 'it is no e-mail: nothing says who wrote it or what it is about'],
  ['cut.png', 'unreadable', 'the image is damaged, or of a kind that can not be read', { ocr: { enabled: true } }],
  ['unknown.bin', 'unsupported_type', 'there is no way yet to read text from application/octet-stream'],
];
for (const [file, code, message, choices] of refused)
  test(`${file} is refused: ${message}`, async () => {
    await assert.rejects(read(`damaged/${file}`, choices), (error) => {
      assert.ok(error instanceof NotExtractable, String(error));
      assert.deepEqual([error.code, error.message], [code, message]);
      return true;
    });
  });

test('reads malformed JSON and XML as text, with a warning', async () => {
  assert.deepEqual((await read('damaged/cut.json')).warnings, ['It is not valid JSON.']);
  assert.deepEqual((await read('damaged/wrong.jsonl')).warnings, ['Line 2 is not valid JSON.']);
  assert.deepEqual((await read('damaged/open.xml')).warnings, ['It is not well-formed XML.']);
});
