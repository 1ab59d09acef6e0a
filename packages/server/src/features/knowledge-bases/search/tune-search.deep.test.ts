import assert from 'node:assert/strict';
import { test } from 'node:test';
import { as, makePeopleIn } from '../../people/testing.ts';
import { knowledgeApp } from '../testing.ts';

const kb = await knowledgeApp();
const people = await makePeopleIn(kb);
const ada = await people.aMember('Reader');
const base = await kb.base({ auto_summary: false, retrieval_method: 'full_text', feedback: 'off', heading_weight: 0 });

/** In the text of each pair both words stand apart in the first document and together in the second. */
const pairs = ['copper kettle', 'silver spoon', 'iron bridge', 'wooden ladder', 'golden ring', 'paper lantern'];
const texts = Object.fromEntries(
  pairs.flatMap((pair, at) => {
    const [one, two] = pair.split(' ');
    const long = 'is known far away from any village, river or road, and many people there have never seen a';
    return [
      [`a${at}.txt`, `The ${one} ${long} ${two}.`],
      [`b${at}.txt`, `The road ${long} village, river or ${one} ${two}.`],
    ];
  }),
);
await kb.fill(base, texts);
await kb.ready(base);
const documents = await kb.documents(base);
const idOf = (name: string) => documents.find((document) => document.name === name)?.id;
const questionsFor = (some: readonly string[]) =>
  some.map((query) => ({ query, document_ids: [idOf(`b${pairs.indexOf(query)}.txt`)] }));
const tune = (questions: object[], by: object = {}) =>
  kb.call('POST', `${kb.at}/${base}/tune`, { questions }, by as Parameters<typeof kb.call>[3]);

test('proposes settings that rank better, with the figures of both, and changes nothing', async () => {
  const before = (await kb.get(base)).settings_;
  const { status, json, text } = await tune(questionsFor(pairs));
  assert.equal(status, 200, text);
  assert.ok(json.settings_.proximity_weight > 0, text);
  assert.ok(json.chosen_on.after.ndcg_at_10 > json.chosen_on.before.ndcg_at_10);
  assert.deepEqual([json.chosen_on.after.ndcg_at_10, json.held_out], [1, null]);
  assert.deepEqual((await kb.get(base)).settings_, before);
  const evaluated = await kb.call('POST', `${kb.at}/${base}/evaluate`, {
    questions: questionsFor(pairs),
    settings_: json.settings_,
  });
  assert.equal(evaluated.json.ndcg_at_10, json.chosen_on.after.ndcg_at_10, 'what evaluate says of it');
});

test('holds every second question out when there are ten', async () => {
  const { json } = await tune(questionsFor([...pairs, ...pairs]));
  assert.deepEqual([json.chosen_on.before.questions, json.held_out.before.questions], [6, 6]);
  assert.equal(json.held_out.after.ndcg_at_10, 1);
});

test('proposes nothing when nothing is better', async () => {
  const { json } = await tune([{ query: 'lantern', document_ids: [idOf('a5.txt'), idOf('b5.txt')] }]);
  assert.deepEqual(json.settings_, {});
  assert.deepEqual(json.chosen_on.before, json.chosen_on.after);
});

test('refuses unknown and restricted documents, and callers without kbs_advanced', async () => {
  const refused = await tune([{ query: 'x', document_ids: ['01900000-0000-7000-8000-000000000000'] }]);
  assert.deepEqual(
    [refused.status, refused.json.detail[0].loc],
    [422, ['body', 'questions', '0', 'document_ids', '0']],
  );
  const visible_to = [{ kind: 'person', id: ada.id }];
  const restricted = await kb.call('PATCH', `${kb.at}/${base}/document/${idOf('a0.txt')}`, { visible_to });
  assert.equal(restricted.status, 200, restricted.text);
  const hidden = await tune([{ query: 'copper', document_ids: [idOf('a0.txt')] }]);
  assert.deepEqual([hidden.status, hidden.json.detail[0].loc], [422, ['body', 'questions', '0', 'document_ids', '0']]);
  assert.equal((await tune(questionsFor(pairs), as(ada.cookie))).status, 403);
});
