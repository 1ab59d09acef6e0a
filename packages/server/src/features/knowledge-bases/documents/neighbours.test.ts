import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as, makePeopleIn } from '../../people/testing.ts';
import { knowledgeApp } from '../testing.ts';

const kb = await knowledgeApp();
const base = await kb.base({ auto_summary: false, text_chunk_size: 50, text_chunk_overlap: 0 });
const lines = Array.from({ length: 9 }, (_, at) => `This is the sentence of part number ${at}.`);
const [document] = await kb.fill(base, { 'parts.txt': lines.join('\n\n') });
const around = async (place: string | number, more = '') => {
  const { status, json, text } = await kb.call('GET', `${kb.at}/${base}/chunks?around=${place}${more}`);
  assert.equal(status, 200, text);
  return json.items.map(({ position }: { position: number }) => position);
};
const all = await kb.chunks(base);

test('lists the neighbours of a passage, moved at the ends of the document', async () => {
  assert.equal(all.length, 9);
  assert.deepEqual(await around(all[4].id), [2, 3, 4, 5, 6]);
  assert.deepEqual(await around(all[4].id, '&size=3'), [3, 4, 5]);
  assert.deepEqual(await around(all[4].id, '&size=1'), [4]);
  assert.deepEqual(await around(all[0].id), [0, 1, 2, 3, 4]);
  assert.deepEqual(await around(all[8].id), [4, 5, 6, 7, 8]);
  assert.equal((await around(all[3].id, '&size=100')).length, 9);
});

test('lists the neighbours of a place in the text of a document', async () => {
  const of = `&document_id=${document.id}&size=3`;
  assert.deepEqual(await around(all[5].start + 7, of), [4, 5, 6]);
  assert.deepEqual(await around(0, of), [0, 1, 2]);
  assert.deepEqual(await around(999_999, of), [6, 7, 8]);
  const alone = await kb.call('GET', `${kb.at}/${base}/chunks?around=3`);
  assert.deepEqual([alone.status, alone.json.detail[0].loc], [422, ['query', 'document_id']]);
});

test('has no neighbours of passages that the caller does not see', async () => {
  const people = await makePeopleIn(kb);
  const reader = await people.aMember('Reader');
  const ask = (path: string) => kb.call('GET', `${kb.at}/${base}/chunks?${path}`, undefined, as(reader.cookie));
  assert.equal((await ask(`around=${all[4].id}`)).status, 200);
  await kb.call('PATCH', `${kb.at}/${base}/document/${document.id}`, { visible_to: [] });
  assert.equal((await ask(`around=${all[4].id}`)).status, 404);
  assert.equal((await ask(`around=5&document_id=${document.id}`)).status, 404);
  assert.equal((await kb.call('GET', `${kb.at}/${await kb.base()}/chunks?around=${all[4].id}`)).status, 404);
});
