import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { makeExtract } from '../src/drivers/extractors/extract.ts';
import { findLanguageData, listLanguages } from '../src/drivers/extractors/image/ocr-languages.ts';
import { knowledgeApp } from '../src/features/knowledge-bases/testing.ts';

/** A folder with a second language: English data by the name of German. */
const ocr_data = mkdtempSync(join(tmpdir(), 'atrium-ocr-'));
copyFileSync(join(findLanguageData('eng')?.folder ?? '', 'eng.traineddata.gz'), join(ocr_data, 'deu.traineddata.gz'));
after(() => rmSync(ocr_data, { recursive: true }));
const kb = await knowledgeApp({ ocr_data });
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
  // A language of the operator's folder is used; `auto` finds out which of the languages fits.
  for (const pdf_ocr_language of ['deu', 'auto']) {
    const other = await read({ pdf_ocr_enabled: true, pdf_ocr_language }, 'report.pdf');
    assert.match(other.text, scanned);
    assert.doesNotMatch(other.notes, /no data/);
  }
  assert.deepEqual(listLanguages(ocr_data), ['eng', 'deu']);
});
