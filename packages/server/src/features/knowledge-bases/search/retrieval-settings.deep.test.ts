import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asProvider, fakeProvider, knowledgeApp } from '../testing.ts';

const provider = await fakeProvider();
const kb = await knowledgeApp({
  providers: asProvider(provider.url),
  embedding_model: 'fake/embedder',
  rerank_url: provider.url,
  rerank_api_key: 'k',
});

const pets = {
  'kitten.txt': 'The kitten sleeps all day.',
  'puppy.txt': 'The puppy runs all day.',
  'car.txt': 'The automobile stands all day.',
};
const plain = { auto_summary: false };

async function petBase(settings: object = {}) {
  const id = await kb.base({ ...plain, ...settings });
  await kb.fill(id, pets);
  return id;
}
const settings = (id: string, settings_: object) => kb.patch(id, { settings_ });

test('retrieval_method chooses words, vectors or both', async () => {
  const id = await petBase({ retrieval_method: 'full_text' });
  assert.deepEqual(await kb.found(id, 'feline'), [], 'no such word');
  assert.deepEqual(await kb.found(id, 'runs'), ['puppy.txt']);
  await settings(id, { retrieval_method: 'semantic' });
  assert.equal((await kb.found(id, 'feline'))[0], 'kitten.txt');
  await settings(id, { retrieval_method: 'hybrid_bm25' });
  const hits = await kb.search(id, 'feline runs', { explain: true });
  assert.ok(hits.some((hit) => hit.explain.bm25 && hit.explain.vector));
  assert.deepEqual(new Set(kb.names(hits).slice(0, 2)), new Set(['puppy.txt', 'kitten.txt']));
});

test('retrieval_top_k limits what comes out', async () => {
  const id = await petBase({ retrieval_top_k: 2 });
  assert.equal((await kb.found(id, 'day')).length, 2);
  assert.equal((await kb.found(id, 'day', { top_k: 1 })).length, 1);
});

test('retrieval_top_k_window joins neighbours to a hit', async () => {
  const text = [
    'First of all comes the alpha part.',
    'Then there comes the walnut part.',
    'And last comes the omega part.',
  ].join('\n\n');
  const id = await kb.base({ ...plain, retrieval_method: 'full_text', text_chunk_size: 50, text_chunk_overlap: 0 });
  await kb.fill(id, { 'a.txt': text });
  const only = async () => (await kb.search(id, 'walnut'))[0];
  assert.equal((await only()).content, 'Then there comes the walnut part.');
  await settings(id, { retrieval_top_k_window: [1, 0] });
  assert.equal((await only()).content, 'First of all comes the alpha part.\n\nThen there comes the walnut part.');
  await settings(id, { retrieval_top_k_window: [1, 1] });
  const wide = await only();
  assert.equal(wide.content, text);
  assert.deepEqual([wide.citation.start, wide.citation.end], [0, text.length]);
  const running = text.replaceAll('\n\n', ' ');
  const [line] = await kb.fill(id, { 'b.txt': running }, '/b');
  const [{ content, citation }] = await kb.search(id, 'walnut', { document_ids: [line.id] });
  assert.equal(content, running.slice(citation.start, citation.end), 'just as it stands there');
});

test('fts_weight, semantic_weight and rrf_k make the score', async () => {
  const id = await petBase({ fusion: 'rrf', fts_weight: 0.6, semantic_weight: 0.4, rrf_k: 10 });
  const [hit] = await kb.search(id, 'puppy runs', { explain: true });
  assert.equal(hit.document_source.name, 'puppy.txt');
  assert.ok(Math.abs(hit.explain.fused - (0.6 / 11 + 0.4 / 11)) < 1e-9);
  assert.equal(hit.score, 1, 'first by both methods is the best possible');
  // The words speak for the car, the meaning for the cat.
  await settings(id, { fts_weight: 1, semantic_weight: 0 });
  assert.equal((await kb.found(id, 'stands feline'))[0], 'car.txt');
  await settings(id, { fts_weight: 0, semantic_weight: 1 });
  assert.equal((await kb.found(id, 'stands feline'))[0], 'kitten.txt');
  assert.equal((await kb.call('PATCH', `${kb.at}/${id}`, { settings_: { semantic_weight: 0 } })).status, 422);
});

test('the threshold cuts after the fusion', async () => {
  const id = await petBase({ threshold_enabled: true, threshold: 0.9 });
  const all = await kb.search(id, 'puppy runs day', { explain: true });
  assert.equal(all.length, 3);
  assert.deepEqual(
    all.map((hit) => hit.explain.kept),
    all.map((hit) => hit.explain.scaled >= 0.9),
  );
  assert.ok(all.some((hit) => !hit.explain.kept));
  assert.deepEqual(await kb.found(id, 'puppy runs day'), kb.names(all.filter((hit) => hit.explain.kept)));
  await settings(id, { threshold_enabled: false });
  assert.equal((await kb.found(id, 'puppy runs day')).length, 3);
});

test('reranking scores the best again and keeps those', async () => {
  const id = await petBase({ retrieval_method: 'full_text', reranking_enabled: true, reranker_top_k: 2 });
  provider.score = (_, passage) => (passage.includes('automobile') ? 0.9 : passage.includes('puppy') ? 0.4 : 0.1);
  const hits = await kb.search(id, 'puppy automobile day', { explain: true });
  const kept = hits.filter((hit) => hit.explain.kept);
  assert.deepEqual(kb.names(kept), ['car.txt', 'puppy.txt']);
  assert.deepEqual(
    kept.map(({ score }) => score),
    [0.9, 0.4],
  );
  const sent = provider.reranks.at(-1);
  assert.deepEqual([sent.model, sent.documents.length], ['semantic-ranker-512@latest', 2]);
  await settings(id, { hosted_model: 'another' });
  await kb.found(id, 'day');
  assert.equal(provider.reranks.at(-1).model, 'another');
});

test('reranker_threshold drops what the reranker scores low', async () => {
  provider.score = (_, passage) => (passage.includes('automobile') ? 0.9 : 0.2);
  const id = await petBase({ reranking_enabled: true, reranker_threshold_enabled: true, reranker_threshold: 0.5 });
  assert.deepEqual(await kb.found(id, 'day'), ['car.txt']);
  await settings(id, { reranker_threshold_enabled: false });
  assert.equal((await kb.found(id, 'day')).length, 3);
  // A server that sends bare numbers of its model: their order counts, and a half is where they are zero.
  provider.score = (_, passage) => (passage.includes('automobile') ? 4 : passage.includes('puppy') ? 2 : -3);
  assert.deepEqual(await kb.found(id, 'day'), ['car.txt', 'puppy.txt', 'kitten.txt']);
  await settings(id, { reranker_threshold_enabled: true });
  assert.deepEqual(await kb.found(id, 'day'), ['car.txt', 'puppy.txt']);
});

test('the first of rerankers that answers is used', async () => {
  provider.score = () => 0.5;
  const id = await petBase({ reranking_enabled: true, rerankers: ['anthropic/x', 'fake/ranker'] });
  const [hit] = await kb.search(id, 'day', { explain: true });
  assert.equal(provider.reranks.at(-1).model, 'ranker');
  assert.deepEqual(hit.explain.notes, ['The reranker anthropic/x is not configured']);
});

test('reranker_type llm lets the language model score', async () => {
  const id = await petBase({ retrieval_method: 'full_text', reranking_enabled: true, reranker_type: 'llm' });
  provider.say = (_, text) =>
    JSON.stringify([...text.matchAll(/\[\d+\] (.*)/g)].map(([, one]) => (/automobile/.test(one ?? '') ? 9 : 1)));
  assert.equal((await kb.found(id, 'day'))[0], 'car.txt');
  provider.say = () => 'I would rather not.';
  const [hit] = await kb.search(id, 'puppy', { explain: true });
  assert.equal(hit.document_source.name, 'puppy.txt', 'the order of before stays');
  assert.deepEqual(hit.explain.notes, [
    'The reranker llm failed',
    'No reranker answered: the hits are in the order of the search',
  ]);
});

test('citation_mode and citation_title_mode say how a hit is cited', async () => {
  const id = await kb.base({ ...plain, retrieval_method: 'full_text' });
  const [document] = await kb.fill(id, { 'guide.md': '# Walnuts\n\nWalnuts are hard.' });
  await kb.call('PATCH', `${kb.at}/${id}/document/${document.id}`, {
    doc_metadata: { link: 'https://x.test/w', label: 'Nuts' },
  });
  const cited = async (set: object) => {
    await settings(id, set);
    const [{ source, citation }] = await kb.search(id, 'walnuts');
    return [source, citation.title, citation.url];
  };
  const file = `store://${document.file_id}`;
  assert.deepEqual(await cited({}), [file, 'guide.md', file]);
  assert.deepEqual(await cited({ citation_mode: 'document' }), ['guide.md', 'guide.md', file]);
  assert.deepEqual(
    await cited({
      citation_mode: 'metadata',
      citation_url_key: 'link',
      citation_title_mode: 'metadata',
      citation_title_key: 'label',
    }),
    ['https://x.test/w', 'Nuts', 'https://x.test/w'],
  );
  assert.equal((await cited({ citation_title_mode: 'heading' }))[1], 'Walnuts');
});
