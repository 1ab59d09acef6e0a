import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { headBytes, sniff } from './sniff.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
);
const page = '<!doctype html><html><script>alert(1)</script></html>';
const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a;b\r\n1;2\r\n', 'utf16le')]);
const random = Buffer.from([0x13, 0x00, 0xff, 0x37, 0x00, 0x99, 0x01]);

/** One entry of a ZIP archive, as it lies in the file. */
function entry(name: string, content: string): Buffer {
  const [packed, header] = [deflateRawSync(content), Buffer.alloc(30)];
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(8, 8);
  header.writeUInt32LE(packed.length, 18);
  header.writeUInt32LE(content.length, 22);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, Buffer.from(name), packed]);
}
const types = (main: string) => `<Types><Override ContentType="application/vnd.${main}.main+xml"/></Types>`;
const docx = entry('[Content_Types].xml', types('openxmlformats-officedocument.wordprocessingml.document'));
// Some writers put the list of types last, behind more than we look at.
const xlsx = Buffer.concat([entry('docProps/app.xml', '<x/>'), entry('xl/workbook.xml', '<x/>')]);

const cases: [what: string, head: Buffer | string, filename: string, expected: string][] = [
  ['a PNG', png, 'a.png', 'image/png'],
  ['a PNG called .txt', png, 'a.txt', 'image/png'],
  ['a page called .png', page, 'a.png', 'text/plain'],
  ['a page', page, 'a.html', 'text/html'],
  ['a PDF', '%PDF-1.7\n%âãÏÓ\n1 0 obj', 'a.txt', 'application/pdf'],
  ['a Word document', docx, 'a', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['a spreadsheet', xlsx, 'a.zip', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['an archive', entry('a.txt', 'x'), 'a.docx', 'application/zip'],
  ['plain text', 'hello', 'notes.txt', 'text/plain'],
  ['text without a name', 'hello', 'file', 'text/plain'],
  ['Markdown', '# hello', 'A.MD', 'text/markdown'],
  ['comma-separated values', 'a,b\n1,2', 'a.csv', 'text/csv'],
  ['tab-separated values', 'a\tb', 'a.tsv', 'text/tab-separated-values'],
  ['JSON', '{"a": 1}', 'a.json', 'application/json'],
  ['YAML', 'a: 1', 'a.yml', 'application/yaml'],
  ['an e-mail', 'From: a@b.c\r\nSubject: x\r\n\r\nhello', 'a.eml', 'message/rfc822'],
  ['XML', '<?xml version="1.0"?><a/>', 'a.xml', 'application/xml'],
  ['XML without an ending', '<?xml version="1.0"?><a/>', 'a', 'application/xml'],
  ['a drawing', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'a.svg', 'image/svg+xml'],
  ['a report that begins like a bitmap', 'BMW sales, third quarter', 'a.txt', 'text/plain'],
  ['a program', 'print("hi")', 'a.py', 'text/plain'],
  ['UTF-16 from a spreadsheet program', utf16, 'a.csv', 'text/csv'],
  ['bytes of no known kind', random, 'a.txt', 'application/octet-stream'],
  ['text with a NUL', 'a\u0000b', 'a.txt', 'application/octet-stream'],
  ['nothing', '', 'a.txt', 'text/plain'],
];
test('detects the type of a file by its bytes, and of a text by its name', async () => {
  for (const [what, head, filename, expected] of cases)
    assert.equal(await sniff(Buffer.from(head as string), filename), expected, what);
});

test('a character that is cut at the end of the head does not make text binary', async () => {
  const text = Buffer.from(`${'x'.repeat(headBytes - 1)}ü`).subarray(0, headBytes);
  assert.equal(await sniff(text, 'a.txt'), 'text/plain');
});
