import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attachment } from './download-answer.ts';
import { cleanFilename } from './filename.ts';

const names: [given: string, kept: string][] = [
  ['report.pdf', 'report.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['/etc/passwd', 'passwd'],
  ['C:\\x', 'x'],
  ['C:\\Users\\me\\Q3 report.xlsx', 'Q3 report.xlsx'],
  ['a\u0000b', 'ab'],
  ['a\r\nset-cookie: x', 'aset-cookie: x'],
  ['a\u0085b\u007f', 'ab'],
  ['', 'file'],
  ['..', 'file'],
  ['folder/', 'file'],
  ['   ', 'file'],
  ['.env', '.env'],
  ['Übersicht 🙂 日本.txt', 'Übersicht 🙂 日本.txt'],
  ['invoice\u202egpj.exe', 'invoicegpj.exe'],
  ['\ud800.txt', '\ufffd.txt'],
];
test('keeps of a name what is no path, no control character and no invisible one', () => {
  for (const [given, kept] of names) assert.equal(cleanFilename(given), kept, JSON.stringify(given));
});

test('a name of 1000 characters keeps 255, its ending among them', () => {
  assert.equal(cleanFilename('n'.repeat(1000)), 'n'.repeat(255));
  assert.equal(cleanFilename(`${'🙂'.repeat(1000)}.docx`), `${'🙂'.repeat(250)}.docx`);
});

const saved: [filename: string, header: string][] = [
  ['a b.txt', `attachment; filename="a b.txt"; filename*=UTF-8''a%20b.txt`],
  ['"x"; y=\\.txt', `attachment; filename="_x_; y=_.txt"; filename*=UTF-8''%22x%22%3B%20y%3D%5C.txt`],
  [`it's (1)*.txt`, `attachment; filename="it's (1)*.txt"; filename*=UTF-8''it%27s%20%281%29%2A.txt`],
  ['日🙂.txt', `attachment; filename="__.txt"; filename*=UTF-8''%E6%97%A5%F0%9F%99%82.txt`],
];
test('a file is offered for saving under its own name', () => {
  for (const [filename, header] of saved) assert.equal(attachment(filename), header, filename);
});
