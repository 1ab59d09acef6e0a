import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { effective } from '@atrium/contract/knowledge-bases/settings/settings.ts';
import { asProvider, fakeProvider, knowledgeApp } from '../testing.ts';
import { type Ask, enrich } from './enrich-document.ts';

const provider = await fakeProvider();
const kb = await knowledgeApp({ providers: asProvider(provider.url) });
const model = { embedding_model: ['fake/embedder'] };
const plain = { auto_summary: false };

test('embedding_model is what vectors are made by', async () => {
  const id = await kb.base({ ...plain, ...model, retrieval_method: 'semantic' });
  await kb.fill(id, { 'kitten.txt': 'The kitten sleeps.', 'puppy.txt': 'The puppy runs.' });
  assert.ok(provider.embeddings.every((body) => body.model === 'embedder'));
  assert.equal((await kb.found(id, 'feline'))[0], 'kitten.txt');
  const own = await kb.ready(id);
  assert.deepEqual(own.embedding_health, { healthy: true, message: '', embedding_model: 'fake/embedder' });
  assert.deepEqual([own.health.status, own.health.detected_dim], ['ok', 3]);
  assert.ok((await kb.chunks(id)).every((chunk) => chunk.embedding_model === 'fake/embedder'));
});

test('another embedding model has the index built anew by itself, and it is searched meanwhile', async () => {
  const id = await kb.base({ ...plain, retrieval_method: 'hybrid_bm25' });
  await kb.fill(id, { 'kitten.txt': 'The kitten sleeps.', 'puppy.txt': 'The puppy runs.' });
  assert.deepEqual(await kb.found(id, 'feline'), []);
  const [hit] = await kb.search(id, 'kitten', { explain: true });
  assert.deepEqual(hit.explain.notes, ['It was searched by words: the index has no vectors']);
  const { promise: searched, resolve: release } = Promise.withResolvers<void>();
  provider.hold = () => searched;
  await kb.patch(id, { embedding_model: ['fake/embedder'] });
  assert.deepEqual(await kb.found(id, 'runs'), ['puppy.txt']);
  provider.hold = () => undefined;
  release();
  await kb.until(
    () => kb.found(id, 'feline'),
    (found) => found[0] === 'kitten.txt',
  );
  provider.dimension = 5;
  await kb.patch(id, { embedding_model: ['fake/embedder-2'] });
  await kb.until(
    async () => (await kb.search(id, 'feline', { explain: true }))[0],
    (first) => first?.explain.vector !== null && first?.document_source.name === 'kitten.txt',
  );
  provider.dimension = 3;
  assert.equal((await kb.get(id)).health.detected_dim, 5);
});

test('warns when the model does not match embedding_dimension, and text search still works', async () => {
  const id = await kb.base({ ...plain, ...model, embedding_dimension: 7 });
  const [document] = await kb.fill(id, { 'kitten.txt': 'The kitten sleeps.' });
  assert.equal(document.status, 'trained');
  const { health, embedding_health } = await kb.ready(id);
  assert.deepEqual([health.status, health.issue], ['warning', 'dimension_mismatch']);
  assert.deepEqual([health.detected_dim, health.declared_dim, health.action], [3, 7, 'reindex']);
  assert.equal(embedding_health.healthy, false);
  assert.deepEqual(await kb.found(id, 'kitten'), ['kitten.txt']);
  await kb.patch(id, { embedding_model: ['anthropic/x'] });
  const other = await kb.until(
    async () => (await kb.get(id)).health,
    ({ issue }) => issue !== '',
  );
  assert.deepEqual(
    [other.issue, other.detected_dim],
    ['embedding_unavailable', null],
    'the other model has said nothing',
  );
});

test('an embedding model that is down or unknown fails no document; once it is back reindex makes the vectors', async () => {
  provider.down = true;
  const id = await kb.base({ ...plain, ...model });
  const [document] = await kb.fill(id, { 'kitten.txt': 'The kitten sleeps.' });
  assert.equal(document.status, 'trained');
  assert.deepEqual(await kb.found(id, 'kitten'), ['kitten.txt']);
  const { health } = await kb.get(id);
  assert.deepEqual([health.status, health.issue], ['warning', 'embedding_unavailable']);
  provider.down = false;
  await kb.call('POST', `${kb.at}/${id}/reindex`);
  await kb.until(
    () => kb.found(id, 'feline'),
    (found) => found.length === 1,
  );
  assert.equal((await kb.get(id)).health.status, 'ok');
  const unknown = await kb.base({ ...plain, embedding_model: ['anthropic/x'] });
  await kb.fill(unknown, { 'kitten.txt': 'The kitten sleeps.' });
  assert.equal((await kb.get(unknown)).health.issue, 'embedding_unavailable');
});

test('mm_embedding_model finds pictures by what is seen in them', async () => {
  const id = await kb.base({ ...plain, ...model, mm_embedding_model: ['anthropic/x', 'fake/seer'] });
  const golden = (name: string) => readFileSync(join(import.meta.dirname, '../../../../test/golden/files', name));
  const dot = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  await kb.fill(id, { 'heron.png': golden('heron.png'), 'dot.png': dot, 'car.txt': 'An automobile.' });
  const asked = provider.embeddings.filter((body) => body.model === 'seer');
  assert.match(asked[0].input[0].image, /^data:image\/png;base64,/);
  const hits = await kb.search(id, 'a bird', { explain: true });
  const seen = hits.find((hit) => hit.content === 'Image: heron.png' && hit.explain.vector?.rank === 1);
  assert.ok(seen, JSON.stringify(hits.map((hit) => [hit.content, hit.explain.vector])));
  assert.equal(seen.images.length, 1);
  assert.deepEqual(provider.embeddings.at(-1).input, [{ text: 'a bird' }]);
  await kb.patch(id, { settings_: { retrieval_method: 'semantic' } });
  const byVectors = await kb.search(id, 'a bird', { explain: true });
  const same = byVectors.find((hit) => hit.content === 'Image: heron.png' && hit.explain.vector?.rank === 1);
  assert.equal(same?.score, 1, 'where words are not asked, a picture is worth as much as a text');
  await kb.patch(id, { settings_: { retrieval_method: 'hybrid_bm25' } });

  // It goes with its document, and is there after a rebuild.
  const runs = (await kb.call('POST', `${kb.at}/${id}/reindex`)).json;
  await kb.until(
    async () => (await kb.call('GET', `${kb.at}/${id}/runs?run_ids=${runs.join(',')}`)).json,
    (list) => list.every((run: { status: string }) => run.status === 'completed'),
  );
  const rank = async () =>
    (await kb.search(id, 'a bird', { explain: true }))
      .filter((hit) => hit.explain.vector?.score > 0.9)
      .map((hit) => hit.content);
  assert.ok((await rank()).includes('Image: heron.png'));
  const [document] = (await kb.documents(id)).filter(({ name }) => name === 'heron.png');
  await kb.call('DELETE', `${kb.at}/${id}/document/${document.id}`);
  assert.ok(!(await rank()).includes('Image: heron.png'));
  const down = await kb.base({ ...plain, mm_embedding_model: ['anthropic/x'] });
  const [bare] = await kb.fill(down, { 'heron.png': golden('heron.png') });
  assert.match(bare.notes.join(' '), /Its pictures were not embedded/);
});

test('batch_size is how many passages one call embeds and how many documents are trained at once', async () => {
  const id = await kb.base({ ...plain, ...model, batch_size: 2, text_chunk_size: 60, text_chunk_overlap: 0 });
  const text = Array.from({ length: 5 }, (_, at) => `This is paragraph number ${at} of the text.`).join('\n\n');
  await kb.fill(id, { 'a.txt': text });
  const asked = provider.embeddings.filter(({ input }) => String(input[0]).includes('This is paragraph'));
  assert.deepEqual(
    asked.map(({ input }) => input.length),
    [2, 2, 1],
  );
  const one = await kb.base({ ...plain, batch_size: 1 });
  await kb.upload(one, { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
  const queues = await kb.query(
    `select count(distinct q.queue_name)::int as queues from graphile_worker._private_job_queues q where q.queue_name ~ $1`,
    [`^kb:${one}:[0-9]+$`],
  );
  assert.deepEqual(queues, [{ queues: 1 }]);
  await kb.trained(one);
});

test('auto_summary writes summaries of documents and of the base', async () => {
  provider.say = (system) => (/collection/.test(system) ? 'All about kittens.' : 'It is about a kitten. It sleeps.');
  const id = await kb.base({});
  const [document] = await kb.fill(id, { 'kitten.txt': 'The kitten sleeps.' });
  assert.deepEqual(
    [document.summary, document.short_summary],
    ['It is about a kitten. It sleeps.', 'It is about a kitten.'],
  );
  assert.equal((await kb.ready(id)).summary, 'All about kittens.');
  const without = await kb.base({ auto_summary: false });
  const [bare] = await kb.fill(without, { 'kitten.txt': 'The kitten sleeps.' });
  assert.deepEqual([bare.summary, bare.notes], [null, []]);
  assert.equal((await kb.ready(without)).summary, '');
});

test('documents that come while a base is summed up are in its next summary, and it is not ready before', async () => {
  const { promise: uploaded, resolve: release } = Promise.withResolvers<void>();
  const sumsUp = ({ messages }: { messages?: unknown }) => /documents of one collection/.test(JSON.stringify(messages));
  let begun = false;
  provider.hold = (body) => {
    if (!sumsUp(body)) return undefined;
    begun = true;
    return uploaded;
  };
  provider.say = (_, text) => (/puppy\.txt/.test(text) ? 'Kittens and puppies.' : 'Kittens.');
  const id = await kb.base({});
  await kb.fill(id, { 'kitten.txt': 'The kitten sleeps.' });
  await kb.until(async () => begun, Boolean);
  await kb.upload(id, { 'puppy.txt': 'The puppy runs.' });
  provider.hold = () => undefined;
  release();
  const own = await kb.ready(id);
  assert.deepEqual(
    [own.status, own.trained_documents, own.training_documents, own.summary],
    ['ready', 2, 0, 'Kittens and puppies.'],
  );
});

test('enrich_chunks_mode indexes a summary or a context with each passage', async () => {
  provider.say = (system) =>
    /where in the document/.test(system) ? 'Context about volcanoes.' : 'Summary about glaciers.';
  const text = { 'a.txt': 'Something else.' };
  const summary = await kb.base({ enrich_chunks_mode: 'inject_summary' });
  await kb.fill(summary, text);
  const [hit] = await kb.search(summary, 'glaciers');
  assert.equal(hit.content, 'Something else.', 'it is not shown');
  const contextual = await kb.base({ enrich_chunks_mode: 'contextual' });
  await kb.fill(contextual, text);
  assert.equal((await kb.found(contextual, 'volcanoes')).length, 1);
  assert.equal((await kb.found(contextual, 'glaciers')).length, 0);
  const none = await kb.base({ enrich_chunks_mode: 'none' });
  await kb.fill(none, text);
  assert.equal((await kb.found(none, 'glaciers volcanoes')).length, 0);
  // The model may fail later on, with something else.
  const piece = { content: 'x', start: 0, end: 1, page: null, end_page: null, headings: [] };
  const ask: Ask = async ({ system }) => {
    if (/questions/.test(system)) throw new Error('out of order');
    return 'Of glaciers.';
  };
  const settings = effective({ enrich_chunks_mode: 'inject_summary', enrich_pre_made_qa: true });
  const made = await enrich(settings, { name: 'a', text: 'x' }, [piece], ask, async () => {});
  assert.deepEqual([made.contexts, made.questions, made.notes.length], [['Of glaciers.'], [[]], 1]);
});

test('enrich_pre_made_qa finds a passage by a question it answers', async () => {
  provider.say = () => '1. Why do tigers roar?\n2. Who roars?';
  const id = await kb.base({ ...plain, enrich_pre_made_qa: true });
  await kb.fill(id, { 'a.txt': 'Something else.' });
  const [hit] = await kb.search(id, 'tigers');
  assert.equal(hit.content, 'Something else.');
  const [chunk] = await kb.chunks(id);
  assert.deepEqual(chunk.questions, ['Why do tigers roar?', 'Who roars?']);
});

test('a language model that fails leaves a document that can be searched, and a note', async () => {
  const id = await kb.base({});
  provider.down = true;
  const [document] = await kb.fill(id, { 'a.txt': 'Something else.' });
  provider.down = false;
  assert.deepEqual(
    [document.status, document.notes],
    ['trained', ['Enrichment was not finished: the language model failed']],
  );
  assert.equal((await kb.found(id, 'something')).length, 1);
});
