import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { attachmentInput } from '@atrium/contract/attachments/schema.ts';
import { InvalidRequest } from '@atrium/contract/errors.ts';
import type { Extract } from '../../drivers/extractors/driver.ts';
import { makeExtract } from '../../drivers/extractors/extract.ts';
import { RunFailure } from '../../execution/run-failure.ts';
import type { MessageFile } from '../messages/ports.ts';
import { attachmentServer } from './testing.ts';

let reads = 0;
const extract = makeExtract();
const { make, makeTexts, scope, workspace } = await attachmentServer();
const counting: Extract = Object.assign(
  (...file: Parameters<Extract>) => {
    reads++;
    return extract(...file);
  },
  { takes: extract.takes },
);
const attachments = make({ texts: makeTexts(counting) });
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function stored(name: string, content: Buffer | string): Promise<MessageFile> {
  const b64_content = Buffer.from(content as string).toString('base64');
  const [part] = await attachments.attach(scope(), randomUUID(), [attachmentInput.parse({ name, b64_content })]);
  return part as MessageFile;
}

const image = await stored('pixel.png', png);
const page = await stored('page.html', '<h1>Title</h1><script>x</script><p>Text &amp; more</p>');
const table = await stored('t.csv', 'a,b\n1,2\n');
const old = await stored('old.txt', Buffer.from('gr\xfcn', 'latin1'));
const archive = await stored('a.bin', Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7919) % 256)));
const sees = { vision: true, convert_unsupported_files_to_text: true };
const blind = { vision: false, convert_unsupported_files_to_text: true };
const strict = { vision: false, convert_unsupported_files_to_text: false };

const said = async (files: MessageFile[], takes: Parameters<typeof attachments.forModel>[2]) =>
  (await attachments.forModel(scope(), files, takes)).map((content) =>
    content.type === 'text' ? content.text : content,
  );

test('a model that sees gets the image itself', async () => {
  const [content] = await attachments.forModel(scope(), [image], sees);
  assert.deepEqual(content, { type: 'file', media_type: 'image/png', filename: 'pixel.png', data: png });
});

test('sends all other files as text, in their order', async () => {
  assert.deepEqual(await said([page, table, old], blind), [
    'File "page.html" (text/html):\n\n# Title\n\nText & more',
    'File "t.csv" (text/csv):\n\na,b\n1,2\n',
    'File "old.txt" (application/octet-stream):\n\ngrün',
  ]);
});

test('tells the model which files can not be read or were deleted', async () => {
  const gone = { ...table, id: randomUUID() };
  const [seen, bytes, missing] = await said([image, archive, gone], blind);
  assert.equal(seen, 'File "pixel.png" (image/png):\n\n[No text was found in the image.]');
  assert.match(String(bytes), /^File "a.bin" \(application\/octet-stream\) could not be read/);
  assert.equal(missing, 'File "t.csv" (text/csv) is no longer there.');
});

test('documents are read, and so is the text in images', async () => {
  const golden = async (name: string) =>
    stored(name, await readFile(join(import.meta.dirname, '../../../test/golden/files', name)));
  const read = [await golden('report.pdf'), await golden('guide.docx'), await golden('heron.png')];
  const [report, guide, heron] = (await said(read, blind)).map(String);
  assert.match(report ?? '', /^File "report.pdf" \(application\/pdf\):\n\n# Field notes\n.*herons.*THE HERON STANDS/s);
  assert.match(guide ?? '', /\n# Visitor guide\n.*\n\| Blue \| 4 € \|/s);
  assert.match(heron ?? '', /:\n\nTHE HERON STANDS\nIN THE POND$/);
  const before = reads;
  assert.deepEqual((await said(read, blind))[0], report);
  assert.equal(reads, before, 'what was read before is not read again');
  const elsewhere = await attachments.forModel(scope((await workspace()).id), read, blind);
  assert.match(JSON.stringify(elsewhere), /report.pdf.*no longer there/, 'what is remembered is nobody else’s');
});

test("another workspace's file is as one that is gone", async () => {
  const elsewhere = scope((await workspace()).id);
  const [content] = await attachments.forModel(elsewhere, [image], sees);
  assert.deepEqual(content, { type: 'text', text: 'File "pixel.png" (image/png) is no longer there.' });
});

test('long files share the room there is, and say that they were cut', async () => {
  const long = await stored('long.txt', 'x'.repeat(900));
  const [first, second] = await said([long, long], { ...blind, max_chars: 1000 });
  assert.ok(String(first).endsWith('x'.repeat(900)));
  assert.match(String(second), /\n\nx{100}\n\n\[Only the beginning is shown.*\]$/);
});

test('where nothing is converted, plain text is taken and the rest refused by name', async () => {
  assert.equal((await said([table], strict)).length, 1);
  assert.equal((await said([image], { ...strict, vision: true })).length, 1);
  for (const file of [image, page, archive]) {
    await assert.rejects(said([table, file], strict), (error) => {
      assert.ok(error instanceof RunFailure && error.code === 'file_not_supported');
      return error.message.includes(`"${file.name}"`);
    });
  }
  assert.throws(
    () => attachments.check([table, image, page], strict),
    (error) => {
      assert.ok(error instanceof InvalidRequest);
      assert.deepEqual(
        error.validationErrors.map(({ loc }) => loc.join('.')),
        ['body.files.1', 'body.files.2'],
      );
      return error.validationErrors[0]?.msg.includes('"pixel.png"') ?? false;
    },
  );
  attachments.check([table, image, page], sees);
});
