import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractorConformance, pieces, textOf } from './conformance.ts';
import { NotExtractable } from './driver.ts';
import { makeExtract } from './extract.ts';
import { htmlExtractor } from './html/html.ts';
import { csvExtractor, tsvExtractor } from './text/csv.ts';
import { jsonExtractor, jsonLinesExtractor } from './text/json.ts';
import { markdownExtractor } from './text/markdown.ts';
import { plainExtractor } from './text/plain.ts';
import { xmlExtractor } from './text/xml.ts';

extractorConformance('plain', plainExtractor, (text) => Buffer.from(text));
extractorConformance('csv', csvExtractor, (text) => Buffer.from(`a,b\n"${text}",1\n`));
extractorConformance('tsv', tsvExtractor, (text) => Buffer.from(`a\tb\n${text}\t1\n`));
extractorConformance('json', jsonExtractor, (text) => Buffer.from(JSON.stringify({ text })));
extractorConformance('json lines', jsonLinesExtractor, (text) => Buffer.from(`${JSON.stringify({ text })}\n`));
extractorConformance('xml', xmlExtractor, (text) => Buffer.from(`<a>${text}</a>`));
extractorConformance('markdown', markdownExtractor, (text) => Buffer.from(`# t\n\n${text}\n`));
extractorConformance('html', htmlExtractor, (text) => Buffer.from(`<!doctype html><title>t</title><p>${text}</p>`));

const extract = makeExtract();
const text = async (content: Buffer | string, type = 'text/plain', max?: number) =>
  (await textOf(extract, content, type, max)).text;

const utf16 = (written: string, order: 'le' | 'be') => {
  const bytes = Buffer.from(written, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};

test('decodes text in UTF-8, UTF-16 and one-byte encodings', async () => {
  const written = 'Größe: 5 €, naïve “quotes”';
  assert.equal(await text(Buffer.from(written)), written);
  assert.equal(await text(Buffer.from(`\ufeff${written}`)), written);
  for (const order of ['le', 'be'] as const) {
    assert.equal(await text(utf16(`\ufeff${written}`, order)), written);
    assert.equal(await text(utf16(written.replace(/[€“”]/g, ''), order)), written.replace(/[€“”]/g, ''));
  }
  assert.equal(await text(Buffer.from('Gr\xf6\xdfe, \x80 5, \x93x\x94', 'latin1')), 'Größe, € 5, “x”');
});

test('line ends are plain, and stray control characters are left out', async () => {
  assert.equal(await text('a\r\nb\rc\nd\u0000\u0007e\tf'), 'a\nb\nc\nde\tf');
});

test('bytes that are no text are refused', async () => {
  const noise = Buffer.from(Array.from({ length: 2000 }, (_, index) => (index * 7919) % 256));
  await assert.rejects(text(noise), (error) => error instanceof NotExtractable && error.code === 'unreadable');
});

test('refuses a file of an unsupported type and names the type', async () => {
  for (const type of ['application/x-cfb', 'video/mp4', 'application/octet-stream', '']) {
    await assert.rejects(text('x', type), (error: Error) => {
      assert.ok(error instanceof NotExtractable && error.code === 'unsupported_type');
      return type === '' || error.message.includes(type);
    });
    assert.equal(extract.takes({ content_type: type, filename: 'x.bin' }), false);
  }
  for (const type of [
    'text/plain',
    'text/x-anything',
    'TEXT/HTML; charset=utf-8',
    'application/json',
    'application/pdf',
    'image/png',
  ])
    assert.ok(extract.takes({ content_type: type, filename: '' }), type);
});

test('where the bytes did not tell what it is, the name does', async () => {
  const options = { content_type: 'application/octet-stream', max_chars: 100, signal: AbortSignal.timeout(5000) };
  const read = async (filename: string) =>
    (await extract(pieces(Buffer.from('<p>gr\xfcn</p>', 'latin1')), { ...options, filename })).text;
  assert.equal(await read('a.HTML'), 'grün');
  assert.equal(await read('a.txt'), '<p>grün</p>');
  await assert.rejects(read('a.exe'), NotExtractable);
});

test('an extractor that comes later takes over its types', async () => {
  const nothing = { title: null, language: null, pages: null, blocks: [], tables: [], images: [] };
  const loud = { types: ['text/csv'], extract: async () => ({ text: 'LOUD', warnings: [], ...nothing }) };
  const more = makeExtract([loud]);
  assert.equal((await textOf(more, 'x', 'text/csv')).text, 'LOUD');
  assert.equal((await textOf(more, 'x', 'text/plain')).text, 'x');
});

test('a table is cut between its rows', async () => {
  const table = 'id,note\n1,"two\nlines"\n2,short\n3,last\n';
  assert.equal(await text(table, 'text/csv'), table);
  const cut = await textOf(extract, table, 'text/csv', 26);
  assert.equal(cut.text, 'id,note\n1,"two\nlines"');
  assert.deepEqual(cut.warnings, ['Only the first 2 lines are shown; the rest was left out.']);
  assert.equal(await text(table, 'text/csv', 15), 'id,note');
  assert.equal(await text(`"${'x\n'.repeat(100)}`, 'text/csv', 9), '"x\nx\nx\nx\n');
});

test('JSON keeps its large numbers, and says when it is none', async () => {
  const large = '{"id":12345678901234567890}';
  const read = await textOf(extract, large, 'application/json');
  assert.deepEqual([read.text, read.warnings], [large, []]);
  assert.deepEqual((await textOf(extract, '{"id":', 'application/json')).warnings, ['It is not valid JSON.']);
  const deep = '['.repeat(100_000);
  assert.equal((await textOf(extract, deep, 'application/json', 200_000)).warnings.length, 1);
});
