import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asProvider, fakeProvider, knowledgeApp } from '../testing.ts';

const provider = await fakeProvider();
const kb = await knowledgeApp({ providers: asProvider(provider.url) });
const plain = { auto_summary: false, retrieval_method: 'full_text' };

/** A ready knowledge base: its search model is learned. */
async function readyBase(files: Record<string, string>, settings: object = {}): Promise<string> {
  const id = await kb.base({ ...plain, ...settings });
  await kb.fill(id, files);
  assert.equal((await kb.ready(id)).status, 'ready');
  return id;
}
const explained = (id: string, query: string, settings_: object = {}) =>
  kb.search(id, query, { explain: true, settings_ });
const order = async (id: string, query: string, settings_: object = {}) =>
  kb.names(await explained(id, query, settings_));
const termsOf = (hits: { explain: { terms: { term: string; from: string }[] } }[], from: string) =>
  (hits[0]?.explain.terms ?? []).filter((term) => term.from === from).map(({ term }) => term);

/** Texts on two subjects in words of their own, so that words of one subject occur together. */
const subjects = {
  garden: 'tomato seedling compost greenhouse watering soil mulch pruning'.split(' '),
  music: 'violin orchestra symphony conductor rehearsal melody cello quartet'.split(' '),
};
function subjectTexts(): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [subject, words] of Object.entries(subjects))
    for (let at = 0; at < 20; at++) {
      const some = words.filter((_, place) => (place * 3 + at) % 8 < 4);
      texts[`${subject}${at}.txt`] = `Page ${at} tells of ${some.join(' and ')}.`;
    }
  return texts;
}

test('fusion chooses between scores and ranks', async () => {
  const id = await readyBase(subjectTexts(), {
    retrieval_method: 'hybrid_bm25',
    fts_weight: 0.6,
    semantic_weight: 0.4,
  });
  const [first] = await explained(id, 'violin melody', { fusion: 'rrf' });
  const { bm25, vector, fused } = first.explain;
  assert.ok(Math.abs(fused - 0.6 / (60 + bm25.rank) - 0.4 / (60 + vector.rank)) < 1e-9, `${fused} by ranks`);
  const hits = await explained(id, 'violin melody', { fusion: 'weighted_sum' });
  const best = Math.max(...hits.map((hit) => hit.explain.bm25?.score ?? 0));
  for (const { explain } of hits.slice(0, 5))
    assert.ok(Math.abs(explain.fused - (0.6 * explain.bm25.score) / best - 0.4 * explain.vector.score) < 1e-6);
});

test('learned_vectors finds passages by meaning without a model', async () => {
  const id = await readyBase(subjectTexts(), { retrieval_method: 'semantic' });
  const hits = await explained(id, 'violin');
  const without = hits.filter((hit) => !hit.content.includes('violin'));
  assert.ok(without.length > 0, 'pages without the word');
  const first = kb.names(hits).slice(0, 12);
  assert.ok(
    first.every((name) => name.startsWith('music')),
    first.join(),
  );
  assert.ok(hits.every((hit) => hit.explain.vectors === 'learned'));
  assert.deepEqual(hits[0].explain.notes, [
    'No embedding model is used: meaning was compared by vectors that are learned from this knowledge base',
  ]);
  const words = await explained(id, 'violin', { learned_vectors: false });
  assert.ok(words.length > 0 && words.every((hit) => hit.content.includes('violin')));
  assert.ok(words.every((hit) => hit.explain.vectors === null));
  const both = await explained(id, 'violin', { retrieval_method: 'hybrid_bm25' });
  assert.ok(both.length > words.length, 'words of related meaning find more where there are few hits');
  assert.ok(both[0].content.includes('violin'));
});

test('learns anew when a quarter of the passages was edited, and not before', async () => {
  const id = await readyBase(subjectTexts(), { retrieval_method: 'semantic' });
  const { items } = (await kb.call('GET', `${kb.at}/${id}/chunks?size=100`)).json;
  const edit = async (from: number, to: number) => {
    for (const [at, chunk] of items.slice(from, to).entries())
      await kb.call('PATCH', `${kb.at}/${id}/chunks/${chunk.id}`, {
        content: at % 2 ? 'The glacier melts beside the moraine.' : 'Beside the crevasse the glacier melts.',
      });
    // The job that follows the passages learns before it ends.
    await kb.until(
      () => kb.query("select 1 from graphile_worker.jobs where task_identifier = 'knowledge.sync'"),
      (left) => left.length === 0,
    );
  };
  const few = Math.ceil(items.length / 4) - 1;
  await edit(0, few);
  assert.deepEqual(await explained(id, 'moraine'), [], 'a word without a vector');
  await edit(few, few + 2);
  const hits = await kb.until(
    () => explained(id, 'moraine'),
    (found) => found.length > 0,
  );
  assert.ok(
    hits.some((hit: { content: string }) => hit.content.includes('crevasse')),
    'a page without the word',
  );
});

const fruit = {
  'apple.txt': 'The apple hangs on a tree near here.',
  'pear.txt': 'The pear hangs on a tree near here.',
  'plum.txt': 'A plum lies there in the grass.',
};

test('finds every passage of a text by the words of its title', async () => {
  const filler = (word: string) => `${word} stands in a row of plain words without a subject. `.repeat(18);
  const id = await readyBase({
    'a.txt': `Walnuts of the valley\n\n${filler('First')}\n\n${filler('Second')}Shells are cracked in autumn.`,
    'b.txt': `Hazels of the hill\n\n${filler('Third')}\n\n${filler('Fourth')}Shells are cracked in autumn.`,
  });
  const hits = await explained(id, 'walnut shells');
  assert.equal(hits[0].document_source.name, 'a.txt');
  assert.match(hits[0].content, /Shells are cracked/);
  assert.doesNotMatch(hits[0].content, /Walnuts/);
});

test('count_question_terms weighs a word as often as the question has it', async () => {
  const id = await readyBase(fruit, { feedback: 'off' });
  const question = 'An apple? The pear, I mean: the pear, no other.';
  const scores = async (count_question_terms: boolean) =>
    Object.fromEntries(
      (await explained(id, question, { count_question_terms })).map((hit) => [
        hit.document_source.name,
        hit.explain.bm25.score,
      ]),
    );
  const [counted, once] = [await scores(true), await scores(false)];
  assert.ok(Math.abs(counted['pear.txt'] / counted['apple.txt'] - 2) < 0.01);
  assert.ok(Math.abs(once['pear.txt'] / once['apple.txt'] - 1) < 0.01);
});

test('question_stop_words leaves stop words out of a question', async () => {
  const id = await readyBase({ ...fruit, 'before.txt': 'Once before, more than above.' });
  assert.deepEqual(await order(id, 'What was there before the plum?'), ['plum.txt']);
  const all = await explained(id, 'What was there before the plum?', { question_stop_words: false });
  assert.ok(kb.names(all).includes('before.txt'));
  assert.deepEqual(termsOf(await explained(id, 'What was there before the plum?'), 'question'), ['plum']);
  assert.deepEqual(await order(id, 'before'), ['before.txt'], 'a question of nothing else keeps them');
});

test('heading_weight prefers passages whose headings have the words', async () => {
  const id = await readyBase({
    'a.md': '# Badgers\n\nThey dig and sleep by day, and walnut trees shade them.',
    'b.md': '# Walnut trees\n\nThey grow and bloom in May, and badgers like them.',
    'c.md': '# Herons\n\nThey fish.',
  });
  const headings = async (heading_weight: number) => {
    const [hit] = await explained(id, 'walnut', { heading_weight, feedback: 'off' });
    return { name: hit.document_source.name, ...hit.explain };
  };
  const [on, off] = [await headings(1), await headings(0)];
  assert.equal(on.name, 'b.md');
  assert.ok(on.words.heading > 0);
  assert.ok(Math.abs(on.bm25.score - on.words.text - on.words.heading) < 1e-9);
  assert.equal(off.bm25.score, off.words.text);
  const titled = await readyBase({
    'x.txt': 'The harvest of walnuts\n\nThey are the fruit of a tree that grows in the south of the country.',
    'y.txt': 'They are the fruit of a tree that grows in the south of the country, as the harvest of walnuts is.',
  });
  const [line] = await explained(titled, 'walnut');
  assert.equal(line.document_source.name, 'x.txt', 'the first line of a text is its title');
});

test('feedback adds words of the best passages to the question', async () => {
  const id = await readyBase(subjectTexts());
  const on = await explained(id, 'violin');
  const brought = termsOf(on, 'feedback');
  assert.equal(brought.length, 10);
  assert.ok(
    brought.some((term) => subjects.music.includes(term) && term !== 'violin'),
    brought.join(),
  );
  const weights = on[0].explain.terms.map(({ weight }: { weight: number }) => weight);
  assert.ok(Math.abs(weights.reduce((a: number, b: number) => a + b, 0) - 1) < 1e-9);
  assert.deepEqual(termsOf(await explained(id, 'violin', { feedback: 'off' }), 'feedback'), []);
  const hybrid = { retrieval_method: 'hybrid_bm25' };
  assert.deepEqual(termsOf(await explained(id, 'violin', hybrid), 'feedback'), [], 'vectors bring them');
  assert.equal(termsOf(await explained(id, 'violin', { ...hybrid, feedback: 'always' }), 'feedback').length, 10);
});

test('proximity_weight and freshness_weight move passages up', async () => {
  const id = await readyBase({
    'a-apart.txt': 'Copper is found far away from any village, river or road, and nobody there has ever seen a kettle.',
    'near.txt': 'Far away from any village, river or road, and nobody there has ever seen it, stands a copper kettle.',
    'z.txt': 'Nothing of it.',
  });
  const off = { feedback: 'off' };
  assert.deepEqual(await order(id, 'copper kettle', off), ['a-apart.txt', 'near.txt'], 'equal: by name');
  assert.deepEqual(await order(id, 'copper kettle', { ...off, proximity_weight: 0.2 }), ['near.txt', 'a-apart.txt']);
  const [, near] = await explained(id, 'copper kettle', off);
  assert.ok(near.explain.words.proximity > 0.9);
  await kb.query("update kb_documents set updated_at = now() - interval '360 days' where kb_id = $1 and name = $2", [
    id,
    'a-apart.txt',
  ]);
  const fresh = await explained(id, 'copper kettle', { ...off, freshness_weight: 0.3 });
  assert.deepEqual(kb.names(fresh), ['near.txt', 'a-apart.txt']);
  assert.ok(Math.abs(fresh[1].explain.freshness - 0.25) < 0.01);
});

test('ranks a new passage as if it had always been there', async () => {
  const filler = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [
      `f${at}.txt`,
      `Report ${at} about common things and a kiosk of number${at}.`,
    ]),
  );
  const id = await readyBase({ ...filler, 'old.txt': 'The kiosk sells walnuts, walnuts and more walnuts.' });
  await kb.fill(id, { 'new.txt': 'The kiosk sells walnuts, walnuts and more walnuts.' });
  const [one, other] = await explained(id, 'walnut kiosk');
  assert.deepEqual([one, other].map((hit) => hit.document_source.name).sort(), ['new.txt', 'old.txt']);
  assert.equal(one.explain.words.text, other.explain.words.text);
});
