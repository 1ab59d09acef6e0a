import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as, makePeopleIn } from '../../people/testing.ts';
import { knowledgeApp } from '../testing.ts';

const kb = await knowledgeApp();
const people = await makePeopleIn(kb);
const [ada, bo] = [await people.aMember('Reader'), await people.aMember('Reader')];

const open = Object.fromEntries(
  Array.from({ length: 24 }, (_, at) => [`open${at}.txt`, `The report number ${at} tells of a harvest in the valley.`]),
);

test('finds restricted passages as they are now when their set was searched before', async () => {
  const id = await kb.base({ auto_summary: false, retrieval_method: 'full_text' });
  await kb.fill(id, { ...open, 'first.txt': 'A harvest of medlars.', 'second.txt': 'A harvest of quinces.' });
  await kb.ready(id);
  const ids = new Map((await kb.documents(id)).map(({ id: own, name }: { id: string; name: string }) => [name, own]));
  const show = async (name: string, ...to: { id: string }[]) => {
    const visible_to = to.map((person) => ({ kind: 'person', id: person.id }));
    const answer = await kb.call('PATCH', `${kb.at}/${id}/document/${ids.get(name)}`, { visible_to });
    assert.equal(answer.status, 200, answer.text);
  };
  const found = async (person: { cookie: string }, query: string, more: object = {}) => {
    const body = { query, explain: true, top_k: 5, ...more };
    const { status, json, text } = await kb.call('POST', `${kb.at}/${id}/search`, body, as(person.cookie));
    assert.equal(status, 200, text);
    const hits = json as { document_source: { name: string }; explain: { words: object | null } }[];
    return {
      ranked: hits.length > 0 && hits.every(({ explain }) => explain.words !== null),
      names: hits.map(({ document_source }) => document_source.name).filter((name) => !name.startsWith('open')),
    };
  };
  /** Waits until the passages have moved and the model was learned anew. */
  const until = (person: { cookie: string }, query: string, names: string[]) =>
    kb.until(
      () => found(person, query),
      (answer) => answer.ranked && String(answer.names) === String(names),
    );

  await show('first.txt', ada);
  await until(ada, 'medlars harvest', ['first.txt']);
  assert.deepEqual((await found(ada, 'harvested medlar')).names, ['first.txt'], 'by the forms of its words');
  await show('second.txt', ada);
  await until(ada, 'quinces harvest', ['second.txt', 'first.txt']);
  const document_ids = [ids.get('second.txt')];
  assert.deepEqual((await found(ada, 'harvest', { document_ids })).names, ['second.txt']);
  await until(bo, 'quinces medlars harvest', []);
  await show('first.txt', bo);
  await until(bo, 'quinces medlars harvest', ['first.txt']);
  await until(ada, 'quinces medlars harvest', ['second.txt']);
  const gone = await kb.call('DELETE', `${kb.at}/${id}/document/${ids.get('second.txt')}`);
  assert.equal(gone.status, 200, gone.text);
  await until(ada, 'quinces medlars harvest', []);
});
