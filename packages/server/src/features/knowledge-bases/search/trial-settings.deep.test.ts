import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asProvider, fakeProvider, knowledgeApp } from '../testing.ts';

const provider = await fakeProvider();
const kb = await knowledgeApp({ providers: asProvider(provider.url), rerank_url: provider.url, rerank_api_key: 'k' });
const base = await kb.base({ auto_summary: false, retrieval_method: 'full_text', retrieval_top_k: 3 });
await kb.fill(base, {
  'a.txt': 'Walnuts grow on trees. A walnut is a nut.',
  'b.txt': 'The walnut table stands in the hall among chairs and lamps and books and many other things.',
  'c.txt': 'A walnut fell.',
});
const at = `${kb.at}/${base}/search`;
const compare = (settings_: object) => kb.search(base, 'walnut', { explain: true, settings_ });
const keptNames = (hits: { explain: { kept: boolean } }[]) => kb.names(hits.filter(({ explain }) => explain.kept));

test('searches by settings on trial and says which setting dropped a passage', async () => {
  assert.equal((await kb.search(base, 'walnut')).length, 3);
  assert.equal((await compare({ retrieval_top_k: 1 })).length, 1, 'top k');
  const cut = await compare({ threshold_enabled: true, threshold: 0.99 });
  assert.deepEqual(
    cut.map(({ explain }) => explain.dropped_by),
    [null, 'threshold', 'threshold'],
  );
  provider.score = () => 0.1;
  const ranked = await compare({
    ...{ reranking_enabled: true, reranker_type: 'hosted', reranker_top_k: 2 },
    ...{ reranker_threshold_enabled: true, reranker_threshold: 0.5 },
  });
  const dropped = ranked.map(({ explain }) => explain.dropped_by);
  assert.deepEqual(dropped.sort(), ['reranker_threshold', 'reranker_threshold', 'reranker_top_k']);
  assert.equal(provider.reranks.length, 1);
  assert.equal(keptNames(await kb.search(base, 'walnut', { explain: true })).length, 3, 'nothing was stored');
  assert.equal((await kb.get(base)).settings_.threshold_enabled, false);
});

test('marks the words of the question in other forms too', async () => {
  const [hit] = (await kb.search(base, 'walnut', { explain: true })).filter(
    ({ document_source }) => document_source.name === 'a.txt',
  );
  const marked = hit.explain.marks.map(({ start, end }: { start: number; end: number }) =>
    hit.content.slice(start, end),
  );
  assert.deepEqual(marked, ['Walnuts', 'walnut']);
});

test('refuses settings on trial that a search does not go by, and weights of nothing', async () => {
  const other = await kb.call('POST', at, { query: 'x', settings_: { default_chunk_size: 100 } });
  assert.equal(other.status, 422, other.text);
  const none = await kb.call('POST', at, { query: 'x', settings_: { fts_weight: 0, semantic_weight: 0 } });
  assert.deepEqual([none.status, none.json.detail[0].loc], [422, ['body', 'settings_', 'fts_weight']]);
});

test('refuses settings on trial without kbs_advanced', async () => {
  const { json: me } = await kb.call('GET', '/v1/admin/me');
  const made = await kb.call('POST', `/v1/admin/groups/${me.group_id}/api-keys`, {
    name: 'reader',
    permissions: ['kbs_query'],
  });
  const by = { key: made.json.value };
  assert.equal((await kb.call('POST', at, { query: 'walnut' }, by)).status, 200);
  const refused = await kb.call('POST', at, { query: 'walnut', settings_: { threshold: 0.1 } }, by);
  assert.equal(refused.status, 403);
  assert.match(refused.text, /kbs_advanced/);
});

test('a write answers with a warning for each setting without effect beside the others', async () => {
  type Answer = { warnings?: { loc: string[]; msg: string; type: string }[] };
  const places = ({ warnings }: Answer) => warnings?.map(({ loc, type }) => `${loc.join('.')} ${type}`);
  const without = (...places: string[]) => places.map((place) => `body.${place} setting_has_no_effect`);
  const sent = {
    ...{ rrf_k: 20, threshold: 0.4, csv_delimiter: ';', reranker_top_k: 3, citation_url_key: 'link' },
    retrieval_top_k: 7,
  };
  const made = (await kb.call('POST', kb.at, { name: 'Warned', settings_: sent })).json;
  const ineffective = ['rrf_k', 'threshold', 'csv_delimiter', 'reranker_top_k', 'citation_url_key'];
  assert.deepEqual(places(made), without(...ineffective.map((key) => `settings_.${key}`)));
  assert.match(made.warnings[0].msg, /`rrf_k` has no effect while `fusion` is not `rrf`/);
  assert.equal(made.settings_.rrf_k, 20);
  const patch = async (body: object): Promise<Answer> => (await kb.call('PATCH', `${kb.at}/${made.id}`, body)).json;
  assert.equal((await patch({ settings_: { fusion: 'rrf' } })).warnings, undefined);
  assert.deepEqual(places(await patch({ settings_: { retrieval_method: 'full_text' } })), without('settings_.rrf_k'));
  assert.equal((await patch({ name: 'Other' })).warnings, undefined, 'nothing that was sent');
  assert.equal((await patch({ settings_: { rrf_k: 60, threshold: 0 } })).warnings, undefined, 'defaults');
  assert.equal((await kb.get(made.id)).warnings, undefined);
});
