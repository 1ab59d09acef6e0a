import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as, makePeopleIn } from '../../../people/testing.ts';
import { knowledgeApp } from '../../testing.ts';

const kb = await knowledgeApp();
const people = await makePeopleIn(kb);
const ada = await people.aMember('Reader');

const open = Object.fromEntries(
  Array.from({ length: 24 }, (_, at) => [`open${at}.txt`, `The report number ${at} tells of a harvest in the valley.`]),
);
const secret = 'The harvest of quinces and medlars: quinces and medlars were sold in secret, quinces and medlars.';

const searchAs = async (id: string, query: string, more: object = {}) => {
  const answer = await kb.call('POST', `${kb.at}/${id}/search`, { query, explain: true, ...more }, as(ada.cookie));
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};
const feedbackOf = (hits: { explain: { terms: { term: string; from: string }[] } }[]) =>
  (hits[0]?.explain.terms ?? []).filter(({ from }) => from === 'feedback').map(({ term }) => term);

test('takes no feedback from restricted passages and forgets a document that becomes restricted', async () => {
  const id = await kb.base({ auto_summary: false, retrieval_method: 'full_text' });
  await kb.fill(id, { ...open, 'secret1.txt': secret, 'secret2.txt': secret });
  await kb.ready(id);
  const before = await searchAs(id, 'quinces harvest');
  assert.ok(
    feedbackOf(before).some((term) => /medlar/.test(term)),
    'while everybody sees them',
  );
  for (const document of await kb.documents(id))
    if (document.name.startsWith('secret'))
      await kb.call('PATCH', `${kb.at}/${id}/document/${document.id}`, {
        visible_to: [{ kind: 'person', id: ada.id }],
      });
  const after = await kb.until(
    () => searchAs(id, 'quinces harvest'),
    (hits) =>
      hits.length > 0 && hits[0].explain.words !== null && !feedbackOf(hits).some((term) => /medlar/.test(term)),
  );
  assert.match(after[0].document_source.name, /^secret/, 'the reader finds it still, and first');
  assert.ok(feedbackOf(after).length > 0, 'the open passages bring words');
});
