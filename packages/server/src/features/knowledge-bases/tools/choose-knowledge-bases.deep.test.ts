import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asProvider, fakeProvider, knowledgeApp } from '../testing.ts';

const provider = await fakeProvider();
const kb = await knowledgeApp({ providers: asProvider(provider.url), embedding_model: 'fake/embedder' });

async function base(name: string, summary_embedding?: number[]): Promise<string> {
  const id = await kb.base({ auto_summary: false, retrieval_method: 'full_text' }, { name });
  await kb.fill(id, { [`${name}.txt`]: `The ${name} one tells of breakfast at seven.` });
  if (summary_embedding) await kb.patch(id, { summary_embedding });
  return id;
}
const cats = await base('alpha', [1, 0, 0]);
const dogs = await base('beta', [0, 1, 0]);
const open = await base('gamma');

/** The titles of what a question brought in, by the built-in model. */
async function retrieved(settings: object, content: string) {
  const own = { model: ['atrium/extractive'], ...settings };
  const { json } = await kb.call('POST', '/v1/conversations', { name: 'test', settings: own });
  const answer = await kb.call('POST', `/v1/conversations/${json.id}`, { content });
  assert.equal(answer.status, 200, answer.text);
  const parts = answer.json.messages.at(-1).message_parts as { type: string; content: string }[];
  const results = parts.flatMap(({ type, content: text }) => (type === 'function' ? JSON.parse(text).results : []));
  return [...new Set(results.map(({ title }: { title: string }) => title))].sort();
}

test('summary_embedding routes multi_kb_search past bases that are about something else', async () => {
  const all = { knowledge_bases: [cats, dogs, open], multi_kb_search: true };
  assert.deepEqual(await retrieved(all, 'When is breakfast for a kitten?'), ['alpha.txt', 'gamma.txt']);
  assert.deepEqual(await retrieved(all, 'When is breakfast for a puppy?'), ['beta.txt', 'gamma.txt']);
  provider.down = true;
  assert.deepEqual(await retrieved(all, 'When is breakfast for a puppy?'), ['alpha.txt', 'beta.txt', 'gamma.txt']);
  provider.down = false;
});

test('summary_embedding is what kb_selector chooses by, and it is not shown', async () => {
  const selecting = { tools: [{ type: 'kb_selector' }] };
  assert.deepEqual(await retrieved(selecting, 'When is breakfast for a feline?'), ['alpha.txt']);
  assert.deepEqual(await retrieved(selecting, 'When is breakfast for a canine?'), ['beta.txt']);
  assert.equal('summary_embedding' in (await kb.get(cats)), false);
});

test('anonymizes a question before any embedding model gets it, to choose, to search or to find pictures', async () => {
  const seeing = { retrieval_method: 'semantic', mm_embedding_model: ['fake/seer'] };
  const id = await kb.base({ auto_summary: false, ...seeing }, { name: 'delta' });
  await kb.fill(id, { 'delta.txt': 'Breakfast for birds is at eight.' });
  await kb.patch(id, { summary_embedding: [0.5, 0.5, 0.5] });
  const before = provider.embeddings.length;
  const own = { knowledge_bases: [id, cats], multi_kb_search: true, pii_anonimization: ['EMAIL_ADDRESS'] };
  await retrieved(own, 'When is the breakfast of bird.lover@corp-mail.com?');
  const asked = provider.embeddings.slice(before);
  assert.ok(asked.some(({ model }) => model === 'seer') && asked.some(({ model }) => model === 'embedder'));
  for (const body of asked) assert.doesNotMatch(JSON.stringify(body.input), /corp-mail/);
});
