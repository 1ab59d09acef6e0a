import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuTime } from '../../../test/support/cpu-time.ts';
import { readContentDisposition } from './content-disposition.ts';

const utf8 = (text: string) => Buffer.from(text).toString('latin1');

const cases: [header: string, expected: ReturnType<typeof readContentDisposition>][] = [
  ['form-data; name="file"; filename="a.txt"', { name: 'file', filename: 'a.txt' }],
  ['Form-Data; NAME=file; FileName=a.txt', { name: 'file', filename: 'a.txt' }],
  ['form-data; name="file"', { name: 'file', filename: undefined }],
  ['form-data; name="file"; filename=""', { name: 'file', filename: '' }],
  ['form-data; name="file"; filename="a; name=\\"b\\".txt"', { name: 'file', filename: 'a; name="b".txt' }],
  ['form-data; name="file"; filename="C:\\x\\y.txt"', { name: 'file', filename: 'C:\\x\\y.txt' }],
  ['form-data; name="file"; filename="a%22b.txt"', { name: 'file', filename: 'a"b.txt' }],
  [`form-data; name="file"; filename="${utf8('naïve 🙂.txt')}"`, { name: 'file', filename: 'naïve 🙂.txt' }],
  ['form-data; name="file"; filename="caf\u00e9.txt"', { name: 'file', filename: 'café.txt' }],
  [`form-data; name="file"; filename="x"; filename*=UTF-8''na%C3%AFve.txt`, { name: 'file', filename: 'naïve.txt' }],
  [`form-data; name="file"; filename="x"; filename*=UTF-8''%E0%A4%A`, { name: 'file', filename: 'x' }],
  ['form-data; filename="a.txt"', undefined],
  ['attachment; name="file"; filename="a.txt"', undefined],
  ['form-data', undefined],
  ['', undefined],
];
test('reads the name and the file name of a part, however they are written', () => {
  for (const [header, expected] of cases) assert.deepEqual(readContentDisposition(header), expected, header);
});

test('a header made to be slow is not', () => {
  const started = cpuTime();
  for (const piece of ['\\', '\\\\', '\\"', '; a', ' ', '; a = "', '%22'])
    readContentDisposition(`form-data; name="${piece.repeat(16_000 / piece.length)}`);
  assert.ok(cpuTime() - started < 500);
});
