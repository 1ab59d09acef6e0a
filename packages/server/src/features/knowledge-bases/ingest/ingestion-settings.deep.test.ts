import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { effective } from '@atrium/contract/knowledge-bases/settings/settings.ts';
import writeXlsxFile from 'write-excel-file/node';
import { chunk } from '../../chunking/service.ts';
import { knowledgeApp } from '../testing.ts';
import { extractChoicesFor } from './read-document.ts';

const ocr_data = mkdtempSync(join(tmpdir(), 'atrium-ocr-'));
writeFileSync(join(ocr_data, 'deu.traineddata'), '');
after(() => rmSync(ocr_data, { recursive: true }));
const kb = await knowledgeApp({ ocr_data });
const golden = (name: string) => readFileSync(join(import.meta.dirname, '../../../../test/golden/files', name));

const sentences = (count: number) =>
  Array.from({ length: count }, (_, at) => `Sentence number ${at} tells of something else.`).join(' ');

/** The passages of one file in a base with these settings. */
async function passages(settings: object, name: string, content: string | Buffer) {
  const id = await kb.base(settings);
  const [document] = await kb.fill(id, { [name]: content });
  const chunks = await kb.chunks(id);
  return { id, document, chunks, texts: chunks.map(({ content: text }) => text as string) };
}

/** Whether each begins before the one before it ends. */
const overlap = (chunks: { start: number; end: number }[]) =>
  chunks.every(({ start }, at) => at === 0 || start < (chunks[at - 1]?.end ?? 0));
const longest = (texts: string[]) => Math.max(...texts.map(({ length }) => length));

test('text_chunk_size and text_chunk_overlap cut texts', async () => {
  const text = sentences(60);
  const few = await passages({ text_chunk_size: 1000, text_chunk_overlap: 0 }, 'a.txt', text);
  const many = await passages({ text_chunk_size: 200, text_chunk_overlap: 100 }, 'a.txt', text);
  assert.ok(longest(few.texts) <= 1000 && longest(few.texts) > 500);
  assert.ok(longest(many.texts) <= 200);
  assert.ok(many.texts.length > few.texts.length);
  for (const { content, start, end } of many.chunks) assert.equal(text.slice(start, end), content);
  const [first, second] = many.chunks;
  assert.ok(second.start < first.end, 'they overlap');
  assert.ok(few.chunks.every((chunk, at) => at === 0 || chunk.start >= few.chunks[at - 1].end));
  // More than half of each, where that is asked for; but there is an end to it.
  const shares = (text_chunk_overlap: number) => {
    const pieces = chunk({ text, blocks: [] }, { size: 200, overlap: text_chunk_overlap });
    const shared = pieces.slice(1).map(({ start }, at) => (pieces[at] as { end: number }).end - start);
    return { many: pieces.length, most: Math.max(...shared) };
  };
  assert.ok(shares(100).most <= 100);
  assert.ok(shares(150).most > 110 && shares(150).most <= 150);
  assert.ok(shares(199).many <= text.length / 10);
});

test('default_chunk_size and default_chunk_overlap cut what has no pair of its own', async () => {
  const page = `<h1>Page</h1><p>${sentences(60)}</p>`;
  const apart = { default_chunk_size: 300, default_chunk_overlap: 0 };
  const { texts, chunks } = await passages(apart, 'a.html', page);
  assert.ok(longest(texts) <= 300 && texts.length > 6 && !overlap(chunks));
  assert.ok(overlap((await passages({ ...apart, default_chunk_overlap: 60 }, 'a.html', page)).chunks.slice(1)));
  const { texts: whole } = await passages({ text_chunk_size: 300, text_chunk_overlap: 50 }, 'a.html', page);
  assert.ok(longest(whole) > 1000);
});

test('pdf_chunk_size and pdf_chunk_overlap cut PDFs', async () => {
  const few = await passages({}, 'report.pdf', golden('report.pdf'));
  const small = { pdf_chunk_size: 60, pdf_chunk_overlap: 0 };
  const many = await passages(small, 'report.pdf', golden('report.pdf'));
  assert.ok(longest(many.texts) <= 60 && many.texts.length > few.texts.length);
  const apart = (chunks: typeof many.chunks) => chunks.filter((_, at) => !overlap(chunks.slice(at, at + 2))).length;
  assert.equal(apart(many.chunks), many.chunks.length - 1);
  const sharing = await passages({ ...small, pdf_chunk_overlap: 30 }, 'report.pdf', golden('report.pdf'));
  assert.ok(apart(sharing.chunks) < sharing.chunks.length - 1, 'some share words');
  assert.ok(new Set(many.chunks.map(({ page }) => page)).size > 1, 'passages know their page');
  assert.deepEqual([few.chunks[0].page, few.chunks[0].end_page], [1, 2]);
  const [{ citation }] = await kb.search(few.id, 'counted at dawn');
  assert.deepEqual([citation.page, citation.end_page], [1, 2], 'and those that go on over the next');
});

test('text_chunking_enabled false keeps a text whole', async () => {
  const text = sentences(100);
  assert.deepEqual((await passages({ text_chunking_enabled: false }, 'a.txt', text)).texts, [text]);
});

test('text_preserve_formatting false folds white space', async () => {
  const text = 'One   two\n  three';
  assert.deepEqual((await passages({}, 'a.txt', text)).texts, [text]);
  assert.deepEqual((await passages({ text_preserve_formatting: false }, 'a.txt', text)).texts, ['One two three']);
});

const csv = 'name,price\nApple,3\nPear,4\n';

test('csv_row_as_document makes a passage of each row', async () => {
  assert.equal((await passages({}, 'a.csv', csv)).texts.length, 1);
  const { texts } = await passages({ csv_row_as_document: true }, 'a.csv', csv);
  assert.deepEqual(texts, ['name: Apple\nprice: 3', 'name: Pear\nprice: 4']);
});

/** Cut into passages of a few rows each. */
const short = { default_chunk_size: 120, default_chunk_overlap: 0 };
const fruits = [['fruit', 'price'], ...Array.from({ length: 40 }, (_, at) => [`Apple number ${at}`, String(at)])];

const workbook = (sheets: Record<string, string[][]>) =>
  writeXlsxFile(
    Object.entries(sheets).map(([sheet, rows]) => ({
      sheet,
      data: rows.map((row) => row.map((value) => ({ value }))),
    })),
  ).toBuffer();

/** Each row is in one passage; each passage begins with the header, or none has it. */
function checkHeaders(texts: string[], header: string | undefined, rows: number) {
  assert.ok(texts.length > 3 && longest(texts) <= 120, String(texts.length));
  for (const text of texts) assert.equal(text.match(/fruit/g)?.length ?? 0, header ? 1 : 0, text);
  if (header) assert.ok(texts.every((text) => text.includes(`${header}\n`)));
  assert.equal(texts.join('\n').match(/Apple number/g)?.length, rows);
}

test('csv_include_headers repeats the names of columns in every passage, or leaves them out', async () => {
  const text = fruits.map((row) => row.join(',')).join('\n');
  const on = await passages(short, 'a.csv', text);
  checkHeaders(on.texts, 'fruit\tprice', 40);
  assert.ok((await kb.search(on.id, 'fruit')).length > 3, 'every passage is found by a column name');
  const window = { settings_: { retrieval_top_k_window: [1, 1] } };
  await kb.patch(on.id, window);
  const [joined] = await kb.search(on.id, '"Apple number 17"');
  assert.equal(joined.content.match(/fruit/g).length, 1, 'joined passages have the names once');
  assert.match(joined.content, /Apple number 16\t16\nApple number 17\t17\nApple number 18/);
  checkHeaders((await passages({ ...short, csv_include_headers: false }, 'a.csv', text)).texts, undefined, 40);
  const rows = await passages({ csv_row_as_document: true, csv_include_headers: false }, 'a.csv', csv);
  assert.deepEqual(rows.texts, ['Apple\t3', 'Pear\t4']);
  // A first row of values is no header, so it is not left out.
  const bare = await passages({ csv_include_headers: false }, 'a.csv', 'Apple,3\nPear,4\n');
  assert.deepEqual(bare.texts, ['Apple\t3\nPear\t4']);
  const table = (await kb.call('GET', `/v1/tables/${bare.document.table_ids[0]}/rows`)).json;
  assert.equal(table.items.length, 2);
});

test('xlsx_include_headers repeats the names of columns in every passage, or leaves them out', async () => {
  const book = await workbook({ North: fruits, South: fruits });
  const on = await passages(short, 'a.xlsx', book);
  const inside = ({ texts }: typeof on) => texts.filter((text) => !text.includes('#'));
  checkHeaders(inside(on), 'fruit\tprice', inside(on).join().match(/Apple/g)?.length ?? 0);
  const off = await passages({ ...short, xlsx_include_headers: false }, 'a.xlsx', book);
  checkHeaders(off.texts, undefined, 80);
});

test('csv_delimiter holds when it is not to be found out', async () => {
  const text = 'a;b\n1,5;2,5\n';
  const rows = { csv_row_as_document: true };
  assert.deepEqual((await passages(rows, 'a.csv', text)).texts, ['a: 1,5\nb: 2,5']);
  const fixed = { ...rows, csv_auto_detect_delimiter: false };
  assert.deepEqual((await passages({ ...fixed, csv_delimiter: ';' }, 'a.csv', text)).texts, ['a: 1,5\nb: 2,5']);
  const { texts } = await passages({ ...fixed, csv_delimiter: ',' }, 'a.csv', text);
  assert.notDeepEqual(texts, ['a: 1,5\nb: 2,5']);
});

test('csv_encoding takes usual names, refuses unknown ones and is detected when not set', async () => {
  const table = 'name\nMüller\n';
  const latin = Buffer.from(table, 'latin1');
  for (const csv_encoding of ['windows-1252', 'Latin-1', 'ISO_8859-1', 'cp1252', 'auto'])
    assert.match((await passages({ csv_encoding }, 'a.csv', latin)).texts.join(), /Müller/, csv_encoding);
  const japanese = Buffer.from([0x6e, 0x0a, 0x93, 0xfa, 0x96, 0x7b, 0x0a]);
  assert.match((await passages({ csv_encoding: 'Shift_JIS' }, 'a.csv', japanese)).texts.join(), /日本/);
  const big = Buffer.from(`\ufeff${table}`, 'utf16le').swap16();
  assert.match((await passages({ csv_encoding: 'UTF-16' }, 'a.csv', big)).texts.join(), /Müller/);

  // Not set: any of them. A long file that is ASCII at first is no exception.
  const wide = Buffer.from(table, 'utf16le');
  const long = Buffer.concat([
    Buffer.from(`name\n${'x'.repeat(100)}\n`.repeat(11_000)),
    Buffer.from('Jürgen\n', 'latin1'),
  ]);
  for (const file of [table, `\ufeff${table}`, latin, wide, big])
    assert.match((await passages({}, 'a.csv', file)).texts.join(), /^name\nMüller$/);
  const { document } = await passages({}, 'a.csv', long);
  const rows = await kb.call('GET', `/v1/tables/${document.table_ids[0]}/rows?sort=-id&size=1`);
  assert.equal(rows.json.items[0].name, 'Jürgen');

  // Set: a file in another encoding is an error.
  const bad = await passages({ csv_encoding: 'utf-8' }, 'a.csv', latin);
  assert.equal(bad.document.status, 'error');
  assert.equal(bad.document.error.code, 'unreadable');
  for (const csv_encoding of ['klingon', 'utf-7', ''])
    for (const [method, path] of [
      ['POST', kb.at],
      ['PATCH', `${kb.at}/${bad.id}`],
    ] as const) {
      const answer = await kb.call(method, path, { name: 'x', settings_: { csv_encoding } });
      assert.deepEqual([answer.status, answer.json.detail?.[0]?.loc], [422, ['body', 'settings_', 'csv_encoding']]);
    }
});

test('pdf_ocr_language is refused when its data is not installed, with how to add it', async () => {
  const id = await kb.base();
  const set = (pdf_ocr_language: string) => kb.call('PATCH', `${kb.at}/${id}`, { settings_: { pdf_ocr_language } });
  // English is installed with the server, and German stands in the folder of the operator.
  for (const language of ['eng', 'deu', 'auto']) assert.equal((await set(language)).status, 200, language);
  const refused = await set('fra');
  assert.deepEqual([refused.status, refused.json.detail[0].loc], [422, ['body', 'settings_', 'pdf_ocr_language']]);
  assert.match(refused.json.detail[0].msg, /npm install @tesseract\.js-data\/fra/);
  assert.equal((await kb.get(id)).settings_.pdf_ocr_language, 'auto');
});

test('the xlsx settings make passages of rows', async () => {
  const sheet = golden('orders.xlsx');
  const plain = await passages({}, 'orders.xlsx', sheet);
  const rows = await passages({ xlsx_row_as_document: true }, 'orders.xlsx', sheet);
  const bare = await passages({ xlsx_row_as_document: true, xlsx_include_headers: false }, 'orders.xlsx', sheet);
  assert.ok(rows.texts.length > plain.texts.length);
  assert.ok(rows.texts.some((text) => /: Desk/.test(text)));
  assert.ok(bare.texts.every((text) => !/: Desk/.test(text)));
  assert.deepEqual(
    rows.texts.filter((text) => !text.includes(': ')),
    [],
    'the name of a sheet is no passage',
  );
});

test('tabular_ingest_all_rows says whether all rows are read as text', async () => {
  const rows = Array.from({ length: 1200 }, (_, at) => `item${at},${at}`).join('\n');
  const text = `name,price\n${rows}\n`;
  const last = async (settings: object, word: string) => {
    const { id, document } = await passages(settings, 'a.csv', text);
    return { found: (await kb.search(id, word)).length > 0, notes: document.notes.join(' ') };
  };
  const first = await last({}, 'item1100');
  assert.equal(first.found, false);
  assert.match(first.notes, /1,?000/);
  assert.equal((await last({ tabular_ingest_all_rows: true }, 'item1100')).found, true);
});

test('tabular_max_rows counts the rows below the header, of all sheets together', async () => {
  const rows = ['Apple,1', '"Pear\n\nwith, lines",2', '', 'Plum,3', 'Fig,4'];
  const read = async (most: number, name = 'a.csv', file: string | Buffer = `name,price\n${rows.join('\n')}\n`) => {
    const { texts, document } = await passages({ tabular_max_rows: most }, name, file);
    const [table] = document.table_ids;
    const stored = (await kb.call('GET', `/v1/tables/${table}/rows`)).json.items.length;
    return { text: texts.join('\n'), stored, notes: document.notes.join(' ') };
  };
  const cut = await read(3);
  assert.deepEqual([/Plum/.test(cut.text), /Fig/.test(cut.text), cut.stored], [true, false, 3]);
  assert.match(cut.notes, /Only the first 3 rows were read; the rest was left out/);
  const whole = await read(4);
  assert.deepEqual([/Fig/.test(whole.text), whole.stored], [true, 4]);
  assert.doesNotMatch(whole.notes, /Only the first/);

  const book = await workbook({ North: fruits.slice(0, 4), South: fruits.slice(0, 4) });
  const sheets = await read(4, 'a.xlsx', book);
  assert.equal(sheets.text.match(/Apple number/g)?.length, 4);
  assert.match(sheets.notes, /Only the first 4 rows were read; the rest was left out. \(sheet "South"\)/);
});

test('tabular_ingest_all_rows false keeps all rows in a table that can be queried', async () => {
  const rows = Array.from({ length: 1200 }, (_, at) => `${at},item${at},${at / 2}`).join('\n');
  const { id, document } = await passages({}, 'prices.csv', `id,name,price\n${rows}\n`);
  const [table_id] = document.table_ids;
  const table = (await kb.call('GET', `/v1/tables/${table_id}`)).json;
  assert.deepEqual(
    [table.name, table.columns.map(({ name, type }: { name: string; type: string }) => `${name} ${type}`)],
    ['prices', ['row_id integer', 'name text', 'price number']],
  );
  const ask = async (sql: string) => (await kb.call('POST', '/v1/tables/query', { sql })).json;
  const answer = await ask(`select count(*) as n, max(price) as top from ${table.sql_name}`);
  assert.deepEqual([Number(answer.items[0].n), Number(answer.items[0].top)], [1200, 599.5]);
  assert.match(document.notes.join(' '), /1,?000.*All of its rows are in the table "prices"/);

  // Trained again, it is the same table; gone, so is the table.
  const at = `${kb.at}/${id}/document/${document.id}`;
  assert.equal((await kb.call('PATCH', at, { status: 'training' })).status, 200);
  const [again] = await kb.trained(id);
  assert.deepEqual(again.table_ids, [table_id]);
  assert.equal(Number((await ask(`select count(*) as n from ${table.sql_name}`)).items[0].n), 1200);
  await kb.call('DELETE', at);
  await kb.until(
    async () => (await kb.call('GET', `/v1/tables/${table_id}`)).status,
    (status) => status === 404,
  );
  const all = await passages({ tabular_ingest_all_rows: true }, 'prices.csv', `id,name,price\n${rows}\n`);
  assert.deepEqual(all.document.table_ids, []);
  const sheets = await passages({}, 'orders.xlsx', golden('orders.xlsx'));
  assert.ok(sheets.document.table_ids.length > 0, sheets.document.notes.join());
});

test('the html settings say what of a page is kept', async () => {
  const page =
    '<h2>Title</h2><p>See <a href="https://x.test/y">the link</a></p><table><tr><th>k</th></tr><tr><td>cell</td></tr></table><img alt="a heron" src="h.png">';
  const text = async (settings: object) => (await passages(settings, 'a.html', page)).texts.join('\n');
  const usual = await text({});
  assert.match(usual, /## Title/);
  assert.match(usual, /cell/);
  assert.doesNotMatch(usual, /x\.test|heron/);
  assert.match(await text({ html_extract_text_only: false }), /x\.test/);
  assert.doesNotMatch(await text({ html_include_tables: false }), /cell/);
  assert.match(await text({ html_include_images: true }), /a heron/);
  assert.doesNotMatch(await text({ html_ingest_as_markdown: false }), /##/);
});

test('pdf_extract_images keeps the images of a PDF', async () => {
  const { id } = await passages({}, 'review.pptx', golden('review.pptx'));
  const hits = await kb.search(id, 'grew third');
  const images = hits.flatMap((hit) => hit.images);
  assert.ok(images.length > 0);
  assert.equal((await kb.call('GET', `/v1/files/${images[0].file_id}`)).status, 200);
  const without = await passages({ pdf_extract_images: false }, 'review.pptx', golden('review.pptx'));
  assert.deepEqual(
    (await kb.search(without.id, 'grew third')).flatMap((hit) => hit.images),
    [],
  );
});

test('the settings of a base reach the reader of each format', async () => {
  const settings = effective({
    pdf_ocr_enabled: true,
    pdf_ocr_confidence: 0.4,
    pdf_ocr_language: 'eng',
    image_ocr_enabled: true,
    image_ocr_confidence: 0.3,
  });
  assert.deepEqual(extractChoicesFor(settings, 'pdf').ocr, { enabled: true, confidence: 0.4, language: 'eng' });
  assert.deepEqual(extractChoicesFor(settings, 'image').image_ocr, {
    enabled: true,
    confidence: 0.3,
    language: 'auto',
  });
  // Off: an image is known by its name alone.
  const { document, texts } = await passages({}, 'heron.png', golden('heron.png'));
  assert.deepEqual([document.status, texts], ['trained', ['Image: heron.png']]);
  // The same holds for an e-mail attachment; `pdf_ocr_enabled` does not apply to it.
  const mail = `Subject: Bird\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nSee there.\r\n--b\r\nContent-Type: image/png; name=heron.png\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n${golden('heron.png').toString('base64')}\r\n--b--\r\n`;
  const sent = await passages({ pdf_ocr_enabled: true }, 'bird.eml', mail);
  assert.match(sent.texts.join('\n'), /Attachment: heron\.png\s[\s\S]*Image: heron\.png/);
});

test('warns when the chunking settings change, and reindex trains the documents again', async () => {
  const { id, texts } = await passages({ text_chunk_size: 1000, text_chunk_overlap: 0 }, 'a.txt', sentences(60));
  await kb.ready(id);
  const changed = await kb.patch(id, { settings_: { text_chunk_size: 200 } });
  assert.deepEqual([changed.health.status, changed.health.action], ['warning', 'reindex']);
  assert.equal((await kb.chunks(id)).length, texts.length, 'nothing happens by itself');
  const runs = (await kb.call('POST', `${kb.at}/${id}/reindex`)).json;
  assert.equal(runs.length, 2);
  await kb.until(
    async () => (await kb.call('GET', `${kb.at}/${id}/runs?run_ids=${runs.join(',')}`)).json,
    (list) => list.every((run: { status: string }) => run.status === 'completed'),
  );
  const now = await kb.chunks(id);
  assert.ok(now.length > texts.length);
  assert.ok(now.every(({ content }) => content.length <= 200));
  assert.equal((await kb.get(id)).health.status, 'ok');
  assert.equal((await kb.search(id, 'sentence number 42')).length > 0, true);
});
