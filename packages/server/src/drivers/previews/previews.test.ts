import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { pieces } from '../extractors/conformance.ts';
import { NotExtractable } from '../extractors/driver.ts';
import { binaryTypes } from '../extractors/file-types.ts';
import { makePreviews } from './make-previews.ts';

const draw = makePreviews({ idle_ms: 5000 });
const folder = join(import.meta.dirname, '../../../test/golden/files');
const golden = (name: string) => readFileSync(join(folder, name));
const about = (content_type: string, more: { page?: number; width?: number } = {}) => ({
  ...{ content_type, filename: 'file', page: 1, width: 256, signal: AbortSignal.timeout(60_000), ...more },
});
const isWebp = (data: Uint8Array) => Buffer.from(data).toString('latin1', 8, 12) === 'WEBP';
const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => assert.fail('it was drawn'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof NotExtractable, String(error));
  return error.code;
};

test('draws a page of a PDF at the width asked for', async () => {
  const first = await draw(pieces(golden('report.pdf')), about('application/pdf'));
  assert.ok(isWebp(first.data) && first.width === 256 && first.height > 300);
  const second = await draw(pieces(golden('report.pdf')), about('application/pdf', { page: first.pages, width: 512 }));
  assert.ok(first.pages > 1 && second.width === 512);
  assert.notDeepEqual(second.data, first.data);
  assert.equal(await refusal(draw(pieces(golden('report.pdf')), about('application/pdf', { page: 999 }))), 'no_page');
});

test('draws images smaller and never larger', async () => {
  const small = await draw(pieces(golden('heron.png')), about('image/png', { width: 128 }));
  assert.deepEqual([small.width, small.height], [128, 37]);
  const whole = await draw(pieces(golden('heron.png')), about('image/png', { width: 1600 }));
  assert.deepEqual([whole.width, whole.height], [624, 180]);
});

test('draws the beginning of Office documents', async () => {
  const drawn = await Promise.all([
    draw(pieces(golden('guide.docx')), about(binaryTypes.docx[0])),
    draw(pieces(golden('orders.xlsx')), about(binaryTypes.xlsx[0])),
    draw(pieces(golden('review.pptx')), about(binaryTypes.pptx[0])),
  ]);
  // An empty page compresses to next to nothing.
  for (const { data, width } of drawn) assert.ok(isWebp(data) && width === 256 && data.length > 600, `${data.length}`);
});

/** A PNG that says it has so many pixels and has none. */
function claiming(width: number, height: number): Buffer {
  const head = Buffer.alloc(25);
  head.writeUInt32BE(13, 0);
  head.write('IHDR', 4);
  head.writeUInt32BE(width, 8);
  head.writeUInt32BE(height, 12);
  head.set([8, 6, 0, 0, 0], 16);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), head, deflateSync(Buffer.alloc(100))]);
}

test('refuses bombs, vector images, damaged files and endless ones', async () => {
  assert.equal(await refusal(draw(pieces(claiming(100_000, 100_000)), about('image/png'))), 'too_large');
  assert.equal(await refusal(draw(pieces(claiming(10, 10)), about('image/png'))), 'unreadable');
  const vector = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="/etc/passwd"/></svg>',
  );
  assert.equal(await refusal(draw(pieces(vector), about('image/png'))), 'unreadable');
  assert.equal(await refusal(draw(pieces(Buffer.from('%PDF-1.7 nothing')), about('application/pdf'))), 'unreadable');
  assert.equal(await refusal(draw(pieces(golden('guide.txt')), about(binaryTypes.docx[0]))), 'unreadable');
  const slow = makePreviews({ time_ms: 1, total_ms: 1 });
  assert.equal(await refusal(slow(pieces(golden('report.pdf')), about('application/pdf'))), 'too_slow');
  const little = makePreviews({ max_bytes: 100 });
  assert.equal(await refusal(little(pieces(golden('report.pdf')), about('application/pdf'))), 'too_large');
  assert.deepEqual(['image/svg+xml', 'image/tiff', 'text/plain'].map(draw.takes), [false, false, false]);
});
