import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { picture } from '../../../../test/golden/bitmap.ts';
import { archive, docx, sheetXml, xlsx } from '../../../../test/golden/office.ts';
import { checkExtracted, pieces } from '../conformance.ts';
import { type ExtractOptions, NotExtractable } from '../driver.ts';
import { binaryTypes } from '../file-types.ts';
import { readers } from './readers.ts';

const read = readers();
const about = (content_type: string, choices: Partial<ExtractOptions> = {}): ExtractOptions => ({
  ...{ filename: 'file', content_type, max_chars: 10_000, signal: AbortSignal.timeout(60_000), ...choices },
});
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const xlsxType = binaryTypes.xlsx[0];
const docxType = binaryTypes.docx[0];

const refusal = async (bytes: Buffer, type: string, choices?: Partial<ExtractOptions>) => {
  const error = await read(pieces(bytes, 1 << 20), about(type, choices)).then(
    () => assert.fail('it was read'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof NotExtractable, String(error));
  return `${error.code}: ${error.message}`;
};
const tooLarge = 'too_large: unpacked, it is far too large';

/** An archive of one entry that declares the given size. */
function entry(packed: Buffer, size: number, { copies = 1, flags = 0 } = {}): Buffer {
  const name = Buffer.from('xl/workbook.xml');
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50);
  central.writeUInt16LE(flags, 8);
  central.writeUInt16LE(8, 10);
  central.writeUInt32LE(packed.length, 20);
  central.writeUInt32LE(size, 24);
  central.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(copies, 10);
  end.writeUInt32LE(30 + name.length + packed.length, 16);
  const list = Array.from({ length: copies }, () => [central, name]).flat();
  return Buffer.concat([local, name, packed, ...list, end]);
}

suite('archives that unpack to more than there is room for', () => {
  const zeros = deflateRawSync(Buffer.alloc(64 * 1024 * 1024));
  test('refuses one that declares its size', async () => {
    assert.equal(await refusal(entry(zeros, 64 * 1024 * 1024), xlsxType), tooLarge);
  });
  test('refuses one that declares a smaller size', async () => {
    assert.equal(await refusal(entry(zeros, 1000), xlsxType), tooLarge);
  });
  test('refuses one whose entries overlap', async () => {
    const some = deflateRawSync(Buffer.alloc(12 * 1024 * 1024));
    assert.equal(await refusal(entry(some, 12 * 1024 * 1024, { copies: 100 }), xlsxType), tooLarge);
  });
  test('refuses one with too many entries', async () => {
    assert.equal(await refusal(entry(Buffer.alloc(0), 0, { copies: 20_000 }), docxType), tooLarge);
  });
  test('does not open one inside another archive', async () => {
    const inner = entry(zeros, 1000);
    const parts = {
      'word/document.xml': `<w:document xmlns:w="${word}"><w:body/></w:document>`,
      'word/embeddings/a.docx': inner,
    };
    assert.equal((await read(pieces(archive(parts)), about(docxType))).text, '');
  });
  test('refuses one attached to an e-mail, and still reads the e-mail', async () => {
    const attached = entry(zeros, 1000).toString('base64').replaceAll(/.{76}/g, '$&\r\n');
    const mail = `Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nhello\r\n--b\r\nContent-Type: ${xlsxType}; name=a.xlsx\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\n${attached}\r\n--b--`;
    const { text } = await read(pieces(mail, 1 << 20), about('message/rfc822'));
    assert.match(text, /hello.*a\.xlsx\n\n\[It could not be read: unpacked, it is far too large\.\]$/s);
  });
});

test('reports an archive with a password as encrypted', async () => {
  assert.equal(
    await refusal(entry(Buffer.alloc(1), 1, { flags: 1 }), docxType),
    'encrypted: it is protected with a password',
  );
  const old = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
  assert.match(await refusal(old, docxType), /^encrypted: .*old Office programs$/);
});

const laughs = `<!DOCTYPE x [<!ENTITY a0 "ha">${Array.from({ length: 30 }, (_, index) => `<!ENTITY a${index + 1} "&a${index};&a${index};">`).join('')}]>`;

test('entities that multiply are not expanded', async () => {
  const declared = 'unreadable: it declares entities of its own, as no program does that writes such files';
  assert.equal(await refusal(docx('&a30;', undefined, laughs), docxType), declared);
  const entityFile = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>';
  assert.equal(await refusal(docx('&e;', undefined, entityFile), docxType), declared);
  assert.match(await refusal(xlsx('<row><c t="str"><v>&a30;</v></c></row>'), xlsxType), /not well-formed/);
  const { text, warnings } = await read(pieces(`${laughs}<x>&a30;</x>`), about('application/xml'));
  assert.ok(text.endsWith('<x>&a30;</x>'));
  assert.deepEqual(warnings, ['It declares entities of its own, which are not expanded.']);
});

test('a sheet without an end is read as far as is wanted', async () => {
  const rows = '<row><c><v>7</v></c></row>'.repeat(300_000);
  const choices = { tabular: { layout: 'records' as const, headers: false, max_text_rows: 2, max_rows: 500 } };
  const { text, tables, warnings } = await read(pieces(xlsx(rows), 1 << 20), about(xlsxType, choices));
  // The limit is one of the file, and the first sheet has used it up.
  assert.equal(text, '# Orders\n\n7\n\n7\n\n# Rates');
  assert.equal(tables[0]?.rows.length, 500);
  assert.deepEqual(warnings, [
    'Only the first 500 rows were read; the rest was left out. (sheet "Orders")',
    'Only the first 2 of 500 rows are in the text.',
    'Only the first 500 rows were read; the rest was left out. (sheet "Rates")',
  ]);
  const wide = '<row><c r="XFD1"><v>1</v></c><c r="A1"><v>2</v></c></row>'.repeat(100_000);
  const found = await read(pieces(xlsx(wide), 1 << 20), about(xlsxType));
  assert.ok(found.text.length <= 10_000 && (found.tables[0]?.rows[0]?.length ?? 0) < 10);
});

test('markup that is nested without an end is refused', async () => {
  const deep = sheetXml('<a>'.repeat(100_000));
  const parts = { 'xl/workbook.xml': deep };
  assert.match(await refusal(archive(parts), xlsxType), /not well-formed/);
});

test('an image that says it is huge is not looked at', async () => {
  const image = picture(['A']);
  image.writeUInt32BE(100_000, 16);
  image.writeUInt32BE(100_000, 20);
  const ocr = { enabled: true };
  assert.equal(await refusal(image, 'image/png', { ocr }), 'too_large: the image has more than 40 million pixels');
});

test('returns text or a reason for corrupt bytes and wrong content types', async () => {
  const folder = join(import.meta.dirname, '../../../../test/golden/files');
  const files = [
    'report.pdf',
    'guide.docx',
    'review.pptx',
    'orders.xlsx',
    'mail.eml',
    'heron.png',
    'page.html',
    'orders.csv',
  ];
  const golden = files.map((name) => readFileSync(join(folder, name)));
  const types = [
    ...Object.values(binaryTypes).flat(),
    'text/csv',
    'text/html',
    'text/markdown',
    'application/xml',
    'application/x-ndjson',
    'font/woff',
  ];
  const damaged = fc
    .tuple(
      fc.constantFrom(...golden),
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 20 }),
      fc.double({ min: 0.2, max: 1, noNaN: true }),
    )
    .map(([bytes, hits, kept]) => {
      const copy = Buffer.from(bytes.subarray(0, Math.ceil(bytes.length * kept)));
      for (const [at, value] of hits) copy[at % copy.length] = value;
      return copy;
    });
  const bytes = fc.oneof(
    damaged,
    fc.uint8Array({ maxLength: 500 }).map((array) => Buffer.from(array)),
  );
  const tabular = fc.constantFrom(undefined, { layout: 'records' as const });
  await fc.assert(
    fc.asyncProperty(bytes, fc.constantFrom(...types), tabular, async (content, type, layout) => {
      const choices = { max_chars: 300, images: true, ...(layout ? { tabular: layout } : {}) };
      const result = await read(pieces(content), about(type, choices)).catch((error: unknown) => error);
      if (result instanceof Error) assert.ok(result instanceof NotExtractable, String(result));
      else checkExtracted(result as Awaited<ReturnType<typeof read>>, 300);
    }),
    { numRuns: 300 },
  );
});
