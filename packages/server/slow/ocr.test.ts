import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { makeExtract } from '../src/drivers/extractors/extract.ts';
import { knowledgeApp } from '../src/features/knowledge-bases/testing.ts';

const kb = await knowledgeApp();
const golden = (name: string) => readFileSync(join(import.meta.dirname, '../test/golden/files', name));

test('a scanned page is read by OCR where that is on, and tells how far it is', async () => {
  const steps: string[] = [];
  const found = await makeExtract()(Readable.from([golden('report.pdf')]), {
    filename: 'report.pdf',
    content_type: 'application/pdf',
    max_chars: 100_000,
    signal: AbortSignal.timeout(120_000),
    ocr: { enabled: true, language: 'eng' },
    progress: (pages, of) => void steps.push(`${pages}/${of}`),
  });
  assert.match(found.text, /THE HERON STANDS\nIN THE POND$/);
  const last = found.blocks.at(-1);
  assert.deepEqual([last?.page, last?.headings], [3, ['Field notes', 'Method']]);
  assert.deepEqual([found.warnings, steps], [[], ['1/3', '2/3', '3/3']]);
});

/** Ingests a file into a knowledge base with these settings and returns its text and notes. */
async function read(settings: object, name: string) {
  const id = await kb.base({ auto_summary: false, ...settings });
  const [document] = await kb.fill(id, { [name]: golden(name) });
  assert.equal(document.status, 'trained', JSON.stringify(document.error));
  const texts = (await kb.chunks(id)).map(({ content }) => content as string);
  return { text: texts.join('\n'), notes: document.notes.join(' ') as string };
}

test('image_ocr_enabled and image_ocr_confidence say which words of an image are read', async () => {
  assert.equal((await read({}, 'heron.png')).text, 'Image: heron.png');
  const on = await read({ image_ocr_enabled: true }, 'heron.png');
  assert.match(on.text, /THE HERON STANDS/);
  const strict = await read({ image_ocr_enabled: true, image_ocr_confidence: 1 }, 'heron.png');
  assert.doesNotMatch(strict.text, /HERON STANDS/);
});

test('pdf_ocr_enabled, pdf_ocr_confidence and pdf_ocr_language say what is read of a page without text', async () => {
  const scanned = /HERON/;
  assert.doesNotMatch((await read({}, 'report.pdf')).text, scanned);
  assert.match((await read({ pdf_ocr_enabled: true }, 'report.pdf')).text, scanned);
  const strict = await read({ pdf_ocr_enabled: true, pdf_ocr_confidence: 1 }, 'report.pdf');
  assert.doesNotMatch(strict.text, scanned);
  // Only English data is installed; with another language the document has a note about it.
  const other = await read({ pdf_ocr_enabled: true, pdf_ocr_language: 'deu' }, 'report.pdf');
  assert.match(other.notes, /deu/);
});
