import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunk } from '../chunking/service.ts';
import { asProvider, fakeProvider, knowledgeApp } from './testing.ts';

const provider = await fakeProvider();
const kb = await knowledgeApp({
  providers: asProvider(provider.url),
  rerank_url: `${provider.url}/rerank`,
  rerank_api_key: 'k',
});
const secrets = ['kim@corp.example', '+49 30 901820', '4111 1111 1111 1111', 'DE89 3704 0044 0532 0130 00'];
const letter = `The kitten of Anna Schmidt sleeps. Write to ${secrets[0]} or call ${secrets[1]}. Card ${secrets[2]}, account ${secrets[3]}.`;
const semantic = { embedding_model: ['fake/embedder'], auto_summary: false, enrich_chunks_mode: 'none' };

/** Collects the requests that models get during some work. */
async function collectRequests(work: () => Promise<unknown>) {
  const lists = [provider.embeddings, provider.chats, provider.reranks];
  const before = lists.map(({ length }) => length);
  await work();
  const since = lists.map((list, at) => list.slice(before[at]));
  const [embeddings = [], chats = [], reranks = []] = since;
  return { embeddings, chats, reranks, all: JSON.stringify(since) };
}
const echo = (system: string, text: string) => (system.includes('Score') ? '[7]' : `About: ${text}`);
const refuted = (text: string, values = secrets) => {
  for (const value of values) assert.ok(!text.includes(value), `${value} was sent`);
};

test('no raw value of an uploaded document or a question reaches a model, and users read the original', async () => {
  provider.say = echo;
  const id = await kb.base({
    ...{ embedding_model: ['fake/embedder'], auto_summary: true, enrich_chunks_mode: 'contextual' },
    ...{ enrich_pre_made_qa: true, reranking_enabled: true, rerankers: ['llm', 'hosted'] },
  });
  const upload = await collectRequests(async () => {
    await kb.fill(id, { 'about kim@corp.example.txt': letter });
    await kb.ready(id);
  });
  refuted(upload.all);
  // Summary, context and questions of the document, and the summary of the knowledge base.
  assert.equal(upload.chats.length, 4);
  assert.match(upload.all, /Anna Schmidt.*<EMAIL_ADDRESS_1>/);
  const [embedded] = upload.embeddings.map(({ input }) => input[0]);
  assert.match(embedded, /Write to <EMAIL_ADDRESS> or call <PHONE_NUMBER>. Card <CREDIT_CARD>, account <IBAN_CODE>/);

  const [document] = await kb.documents(id);
  assert.match(document.summary, /About: .*kim@corp\.example/s);
  const [passage] = await kb.chunks(id);
  assert.equal(passage.content, letter);
  for (const value of secrets) {
    const asked = await collectRequests(async () => {
      const [hit] = await kb.search(id, `Who has ${value}?`, { explain: true });
      assert.equal(hit.content, letter);
      assert.deepEqual([hit.explain.bm25?.rank, hit.explain.rerank], [1, 0.7]);
    });
    refuted(asked.all);
    assert.match(asked.embeddings[0].input[0], /^Who has <[A-Z_]+>\?$/);
    // The reranker can tell that it is the same value.
    const [, placeholder = ''] = /Who has (<\w+>)/.exec(JSON.stringify(asked.chats)) ?? [];
    assert.equal(JSON.stringify(asked.chats).split(placeholder).length, 3);
  }
  await kb.patch(id, { settings_: { rerankers: ['hosted'] } });
  const hosted = await collectRequests(() => kb.search(id, `Who has ${secrets[0]}?`));
  assert.equal(hosted.reranks.length, 1);
  refuted(hosted.all);
  provider.say = () => 'A summary.';
});

test('pii_anonimization says which entities, and a change of it asks for a reindex', async () => {
  const id = await kb.base({ ...semantic, pii_anonimization: ['PERSON'] });
  const first = await collectRequests(() => kb.fill(id, { 'letter.txt': letter }));
  refuted(first.all, ['Anna', 'Schmidt']);
  assert.ok(secrets.every((value) => first.all.includes(value)));
  await kb.ready(id);
  const renamed = await kb.patch(id, { settings_: { pii_anonimization: [{ value: 'PERSON', label: 'Names' }] } });
  assert.deepEqual([renamed.health.action, renamed.settings_.pii_anonimization[0].label], ['none', 'Names']);

  const patched = await kb.patch(id, { settings_: { pii_anonimization: ['PERSON', 'EMAIL_ADDRESS'] } });
  assert.equal(patched.health.action, 'reindex');
  assert.equal(patched.settings_.embedding_model[0], 'fake/embedder', 'the other keys stay');
  const again = await collectRequests(async () => {
    await kb.call('POST', `${kb.at}/${id}/reindex`);
    await kb.until(
      () => kb.get(id),
      ({ health, status }) => health.action === 'none' && status === 'ready',
    );
  });
  refuted(again.all, ['Anna', 'kim@corp.example']);
  assert.match(again.all, /<EMAIL_ADDRESS>/);

  const refused = await kb.call('PATCH', `${kb.at}/${id}`, { settings_: { pii_anonimization: ['SHOE_SIZE'] } });
  assert.equal(refused.status, 422);
  await kb.patch(id, { settings_: { pii_anonimization: [] } });
  const open = await collectRequests(() => kb.search(id, 'kim@corp.example'));
  assert.match(open.all, /kim@corp\.example/);
});

test('an index that is built anew gets anonymized texts too', async () => {
  const id = await kb.base(semantic);
  await kb.fill(id, { 'letter.txt': letter });
  await kb.ready(id);
  const rebuilt = await collectRequests(async () => {
    await kb.patch(id, { embedding_model: ['fake/embedder-2'] });
    await kb.until(
      async () => (await kb.search(id, 'feline', { explain: true }))[0],
      (hit) => Boolean(hit?.explain.vector),
    );
  });
  assert.ok(rebuilt.embeddings.some(({ input }) => input[0].includes('<EMAIL_ADDRESS>')));
  refuted(rebuilt.all);
});

test('trial settings and callers with only query permissions cannot weaken anonymization', async () => {
  const id = await kb.base({ ...semantic, reranking_enabled: true, rerankers: ['hosted'] });
  const [document] = await kb.fill(id, { 'letter.txt': letter });
  const body = {
    questions: [{ query: `Who has ${secrets[0]}?`, document_ids: [document.id] }],
    settings_: { pii_anonimization: [] },
  };
  const tried = await collectRequests(async () => {
    const answer = await kb.call('POST', `${kb.at}/${id}/evaluate`, body);
    assert.deepEqual([answer.status, answer.json.recall_at_k], [200, 1]);
  });
  assert.equal(tried.reranks.length, 1);
  refuted(tried.all);

  const { json: own } = await kb.call('GET', `${kb.at}/${id}`);
  const path = `/v1/admin/groups/${own.group_id}/api-keys`;
  const { json: made } = await kb.call('POST', path, { name: 'r', permissions: ['kbs_query', 'kbs_advanced'] });
  const loosened = { settings_: { pii_anonimization: [] } };
  const refused = await kb.call('PATCH', `${kb.at}/${id}`, loosened, { key: made.value });
  assert.equal(refused.status, 403);
});

test('never splits a private value between passages, for any passage size and overlap', async () => {
  const text = Array.from({ length: 40 }, (_, n) => `Call +49 30 9018${10 + n} about kitten number ${n} soon`).join(
    ' ',
  );
  const values = [...text.matchAll(/\+49 30 \d+/g)].map(({ 0: value, index }) => ({
    start: index,
    end: index + value.length,
  }));
  for (const [size, overlap] of [
    [50, 0],
    [53, 20],
    [61, 50],
    [200, 77],
  ] as const) {
    const pieces = chunk({ text, blocks: [] }, { size, overlap }, values);
    for (const { start, end } of pieces)
      for (const value of values)
        assert.ok(value.end <= start || value.start >= end || (value.start >= start && value.end <= end));
    assert.equal(pieces.at(-1)?.end, text.length);
  }
  const id = await kb.base({ ...semantic, text_chunk_size: 50, text_chunk_overlap: 20 });
  const sent = await collectRequests(() => kb.fill(id, { 'calls.txt': text }));
  assert.doesNotMatch(sent.all, /49 30|9018/);
});

test('a question of an agent is anonymized by its own settings and by those of the knowledge base', async () => {
  const id = await kb.base(semantic);
  await kb.fill(id, { 'letter.txt': letter });
  const settings = { model: ['atrium/extractive'], knowledge_bases: [id], pii_anonimization: ['PERSON'] };
  const { json } = await kb.call('POST', '/v1/conversations', { name: 'test', settings });
  const asked = await collectRequests(() =>
    kb.call('POST', `/v1/conversations/${json.id}`, { content: `Where does Anna Schmidt read ${secrets[0]}?` }),
  );
  assert.ok(asked.embeddings.length > 0);
  refuted(asked.all, [...secrets, 'Anna', 'Schmidt']);
  assert.match(asked.all, /<EMAIL_ADDRESS>/);
});
