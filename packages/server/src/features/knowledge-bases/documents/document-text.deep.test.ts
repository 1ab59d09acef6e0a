import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { as, makePeopleIn } from '../../people/testing.ts';
import { knowledgeApp } from '../testing.ts';

const kb = await knowledgeApp();
const people = await makePeopleIn(kb);
const reader = await people.aMember('Reader');
const folder = join(import.meta.dirname, '../../../../test/golden/files');
const golden = (name: string) => readFileSync(join(folder, name));
const settings = { auto_summary: false, text_chunk_size: 200, text_chunk_overlap: 40 };
const base = await kb.base(settings);
const lines = Array.from({ length: 4000 }, (_, at) => `Line ${at} speaks of the herons 🪿 at the pond and their day.`);
await kb.fill(base, {
  'guide.docx': golden('guide.docx'),
  'report.pdf': golden('report.pdf'),
  'long.txt': lines.join('\n\n'),
  'page.html': golden('page.html'),
});
const documents = await kb.documents(base);
const named = (name: string) => documents.find((document) => document.name === name).id as string;
const pathOf = (name: string) => `${kb.at}/${base}/document/${named(name)}`;
const read = async (name: string, query = '') => {
  const { status, json, text } = await kb.call('GET', `${pathOf(name)}/text${query}`);
  assert.equal(status, 200, text);
  return json;
};
type Block = { kind: string; text: string; start: number; end: number; level: number; page: number | null };

test('reads a document as headings, paragraphs and tables at the places of its passages', async () => {
  const { blocks, source, pages, next_start, length } = await read('guide.docx');
  assert.deepEqual([source, pages, next_start], ['document', [], null]);
  const kinds = new Set(blocks.map(({ kind }: Block) => kind));
  for (const kind of ['heading', 'paragraph', 'table']) assert.ok(kinds.has(kind), kind);
  assert.equal(blocks.at(-1).end, length);
  const text = blocks.reduce((so: string, { start, text: own }: Block) => so.padEnd(start, '\n') + own, '');
  for (const { content, start, end } of (await kb.chunks(base)).filter(
    ({ document_id }) => document_id === named('guide.docx'),
  ))
    assert.ok(text.slice(start, end).includes(content.slice(-40)), content);
});

test('reads a PDF with its pages, and one page alone', async () => {
  const { pages, blocks } = await read('report.pdf');
  assert.ok(pages.length > 1);
  const second = await read('report.pdf', '?page=2');
  assert.deepEqual(
    second.blocks,
    blocks.filter(({ page }: Block) => page === 2),
  );
  assert.equal(second.next_start, null);
  assert.equal((await kb.call('GET', `${pathOf('report.pdf')}/text?page=99`)).status, 404);
});

test('reads a long text in parts that join without a gap', async () => {
  const whole = lines.join('\n\n');
  let [start, text]: [number | null, string] = [0, ''];
  for (let parts = 0; start !== null && parts < 20; parts++) {
    const part = await read('long.txt', `?start=${start}&max_chars=60001`);
    assert.equal(part.length, whole.length);
    for (const block of part.blocks) text = text.padEnd(block.start, '\n') + block.text;
    start = part.next_start;
  }
  assert.equal(text, whole);
  const rows = await kb.query('select 1 from kb_text_segments where document_id = $1', [named('long.txt')]);
  assert.ok(rows.length > 1, 'it is stored in segments');
  const from = whole.indexOf('Line 3000');
  const [first] = (await read('long.txt', `?start=${from}&max_chars=100`)).blocks;
  assert.deepEqual([first.start, first.text.slice(0, 9)], [from, 'Line 3000']);
});

test('replaces the text when the document is trained again, and drops it with the document', async () => {
  const small = await kb.base(settings);
  const [{ id }] = await kb.fill(small, { 'a.txt': 'One.\n\nTwo.' });
  const count = async () => (await kb.query('select 1 from kb_text_segments where document_id = $1', [id])).length;
  await kb.call('PATCH', `${kb.at}/${small}/document/${id}`, { status: 'training' });
  await kb.trained(small);
  assert.equal(await count(), 1);
  const { json } = await kb.call('GET', `${kb.at}/${small}/document/${id}/text`);
  assert.equal(json.blocks.length, 2);
  await kb.call('DELETE', `${kb.at}/${small}/document/${id}`);
  assert.equal(await count(), 0);
});

test('reads the passages of a document that was trained before texts were stored', async () => {
  const small = await kb.base(settings);
  const text = lines.slice(0, 30).join('\n\n');
  const [{ id }] = await kb.fill(small, { 'a.txt': text });
  await kb.query('delete from kb_text_segments where document_id = $1', [id]);
  const { json } = await kb.call('GET', `${kb.at}/${small}/document/${id}/text`);
  assert.deepEqual([json.source, json.length], ['passages', text.length]);
  const joined = json.blocks.reduce((so: string, block: Block) => so.padEnd(block.start, '\n') + block.text, '');
  assert.equal(joined, text);
});

test('draws pages of a document', async () => {
  const page = async (name: string, number: number, query = '') =>
    kb.call('GET', `${pathOf(name)}/pages/${number}${query}`);
  const first = await page('report.pdf', 1, '?width=500');
  assert.deepEqual([first.status, first.headers['content-type']], [200, 'image/webp']);
  const second = await page('report.pdf', 2, '?width=500');
  assert.notEqual(second.text, first.text);
  assert.equal((await page('guide.docx', 1)).status, 200);
  for (const [name, number] of [
    ['report.pdf', 99],
    ['guide.docx', 2],
    ['long.txt', 1],
  ] as const) {
    const answer = await page(name, number);
    assert.deepEqual([answer.status, answer.json.code], [409, 'no_preview'], name);
  }
  assert.equal((await page('report.pdf', 0)).status, 422);
});

test('shows no text, page or thumbnail of a document that the caller does not see', async () => {
  const { file_id } = documents.find(({ name }) => name === 'report.pdf');
  const paths = [`${pathOf('report.pdf')}/text`, `${pathOf('report.pdf')}/pages/1`, `/v1/files/${file_id}/thumbnail`];
  const statuses = async () => {
    const answers = [];
    for (const path of paths) answers.push((await kb.call('GET', path, undefined, as(reader.cookie))).status);
    return answers;
  };
  assert.deepEqual(await statuses(), [200, 200, 200]);
  await kb.call('PATCH', pathOf('report.pdf'), { visible_to: [] });
  assert.deepEqual(await statuses(), [404, 404, 404]);
  const other = `${kb.at}/${await kb.base()}/document/${named('guide.docx')}`;
  for (const path of [`${other}/text`, `${other}/pages/1`]) assert.equal((await kb.call('GET', path)).status, 404);
});
