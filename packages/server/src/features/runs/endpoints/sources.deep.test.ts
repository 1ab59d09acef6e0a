import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openaiProvider } from '../../../../test/providers/openai-provider.ts';
import { closing } from '../../../../test/support/scripted-app.ts';
import { loopback } from '../../../drivers/web/testing.ts';
import { knowledgeApp } from '../../knowledge-bases/testing.ts';

const golden = (name: string) => readFileSync(new URL(`../../../../test/golden/files/${name}`, import.meta.url));
const page =
  '<html><head><title>Herons</title><meta property="og:image" content="/wading.jpg"></head><body><article>' +
  `${'<p>Herons wade in shallow water, where they catch fish, frogs and insects.</p>'.repeat(6)}</article></body></html>`;
const site = await loopback((request, response) => {
  if (request.url?.startsWith('/search')) {
    const hit = { title: '**Herons**', url: `${site.url}/herons`, content: 'Herons wade in *shallow* water.' };
    const other = { title: 'Kites', url: `${site.url}/kites`, content: 'Kites have long tails.' };
    const results = [
      { ...hit, thumbnail: `${site.url}/small.webp` },
      { ...other, thumbnail: `${site.url}/kite.png` },
    ];
    return response.setHeader('content-type', 'application/json').end(JSON.stringify({ results }));
  }
  return response.setHeader('content-type', 'text/html').end(page);
});

const search = { service: 'searxng' as const, url: site.url, api_key: '' };
const kb = await knowledgeApp({ search, web_allow: ['127.0.0.1'] });
const { call } = kb;
const provider = await closing(openaiProvider());
await call('POST', '/v1/admin/providers', {
  ...{ name: 'p', provider: 'openai-compatible', base_urls: [provider.url], api_key: 'k', models: ['one'] },
});
const base = { model: ['p/one'], pii_anonimization: [], max_retries_per_model: 0, top_k: 0 };

/** A summary would be asked of the scripted model, and take the answer that a test has prepared. */
const quiet = { auto_summary: false };
const handbook = await kb.base(quiet, { name: 'Handbook' });
await kb.fill(handbook, {
  'refunds.md':
    '## **Refund** policy\n\nRefunds are paid within *30 days* of purchase, with the [receipt](https://a.example/r).',
  'hours.txt': 'The shop and its refund counter are open from Monday to Friday, nine to five.',
  'cards.txt': 'Refunds for gift cards are decided by the manager.',
});

type Part = { type: string; title?: string; content: string; url?: string; mediaType?: string };

/** Has the model call a tool and then answer; the parts that are stored, shown and streamed. */
async function ask(settings: object, tool: [string, object], text: string, content = 'How do refunds work?') {
  const { json: made } = await call('POST', '/v1/conversations', { name: 'test', settings: { ...base, ...settings } });
  const path = `/v1/conversations/${made.id}`;
  provider.reply({ tool_calls: [{ id: 'c1', name: tool[0], input: tool[1] }] }, { text });
  const { text: bytes } = await call('POST', `${path}/stream?format=ui`, { content });
  const { json } = await call('GET', path);
  const stored = json.messages.at(-1).message_parts as Part[];
  const shown = json.ui_messages.at(-1).parts as Part[];
  return {
    path,
    bytes,
    shown,
    titles: stored.flatMap(({ type, title }) => (type === 'source' ? [title] : [])),
    sources: stored.filter(({ type }) => type === 'source'),
    retrieved: JSON.parse(stored.find(({ type }) => type === 'function')?.content ?? '{}').results?.length,
    images: shown.flatMap(({ type, url, mediaType }) => (type === 'file' ? [[url, mediaType]] : [])),
  };
}
const inHandbook = { knowledge_bases: [handbook] };
const searching: [string, object] = ['kb_handbook_search', { query: 'refund' }];

test('shows the sources that the answer used, not all that were retrieved', async () => {
  const seen = await ask(inHandbook, searching, 'Your money is paid back within 30 days, if you have the receipt.');
  assert.equal(seen.retrieved, 3);
  assert.deepEqual(seen.titles, ['refunds.md']);
  const types = seen.shown.map(({ type }) => type).filter((type) => type === 'text' || type.startsWith('source'));
  assert.deepEqual(types, ['text', 'source-document']);
  assert.equal(seen.bytes.match(/"type":"source-/g)?.length, 1);
  assert.doesNotMatch(seen.bytes, /cards\.txt","providerMetadata/);
});

test('shows the sources that the answer cites by number, title or address', async () => {
  const numbered = await ask(inHandbook, searching, 'It depends [1][3].');
  assert.equal(numbered.titles.length, 2);
  assert.deepEqual((await ask(inHandbook, searching, 'It depends (cards.txt).')).titles, ['cards.txt']);
});

test('numbers a source as the answer cites it, among all that were found', async () => {
  const { shown, bytes } = await ask(inHandbook, searching, 'It depends [3].');
  const numbers = shown.flatMap((part) => (part.type === 'source-document' ? [part] : []));
  const [{ providerMetadata } = {}] = numbers as { providerMetadata?: { atrium: { number: number } } }[];
  assert.deepEqual([numbers.length, providerMetadata?.atrium.number], [1, 3]);
  assert.match(bytes, /"number":3/);
});

test('shows titles and quotes of sources without the marks of Markdown', async () => {
  const titled = await kb.base({ ...quiet, citation_title_mode: 'heading' }, { name: 'Titled' });
  await kb.fill(titled, {
    'r.md':
      '## **Refund** policy\n\nRefunds are paid within *30 days* of purchase, with the [receipt](https://a.example/r).',
  });
  const answer = 'Refunds are paid within 30 days of purchase.';
  const seen = await ask({ knowledge_bases: [titled] }, ['kb_titled_search', { query: 'refund' }], answer);
  assert.deepEqual(seen.titles, ['Refund policy']);
  assert.match(seen.sources[0]?.content ?? '', /Refunds are paid within 30 days of purchase, with the receipt\./);
  const web = { base_tools: [{ type: 'web_research', enabled: true }] };
  const found = await ask(web, ['web_research_search', { query: 'heron' }], 'Herons wade in shallow water.', 'Herons?');
  assert.deepEqual([found.titles, found.sources[0]?.content], [['Herons'], 'Herons wade in shallow water.']);
});

test('show_source_images shows image documents and images in PDF and other documents', async () => {
  const pictures = await kb.base(quiet, { name: 'Pictures' });
  const [document] = await kb.fill(pictures, { 'heron.png': golden('heron.png') });
  const settings = { knowledge_bases: [pictures] };
  const looking: [string, object] = ['kb_pictures_search', { query: 'heron' }];
  const seen = await ask({ ...settings, show_source_images: true }, looking, 'See [heron.png].', 'A heron?');
  assert.equal(seen.images.length, 1);
  const [[url, mediaType] = []] = seen.images;
  assert.equal(mediaType, 'image/png');
  assert.match(url ?? '', /^store:\/\//);
  assert.equal((await call('GET', `/v1/files/${url?.slice('store://'.length)}`)).status, 200);
  assert.ok(document && seen.bytes.includes(url ?? '-'));
  assert.deepEqual((await ask(settings, looking, 'See [heron.png].', 'A heron?')).images, []);

  for (const name of ['report.pdf', 'review.pptx']) {
    const documents = await kb.base(quiet, { name: `Documents ${name.slice(0, 6)}` });
    await kb.fill(documents, { [name]: golden(name) });
    const hits = await kb.search(documents, 'heron river orders grew third report');
    const withImage = hits.filter(({ images }) => images.length > 0);
    assert.ok(withImage.length > 0, name);
    const tool: [string, object] = [
      `kb_documents_${name.slice(0, 6)}_search`,
      { query: 'heron river orders grew third report' },
    ];
    const answer = `See [${name}]. ${withImage[0].content.slice(0, 300)}`;
    const own = { knowledge_bases: [documents], show_source_images: true };
    const { images } = await ask(own, tool, answer, 'What is in it?');
    assert.ok(
      images.length > 0 && images.every(([at, type]) => at?.startsWith('store://') && type?.startsWith('image/')),
    );
  }
});

test('show_source_images shows the pictures of web results that the answer used, and of pages', async () => {
  const web = { base_tools: [{ type: 'web_research', enabled: true }], show_source_images: true };
  const answer = 'Herons wade in shallow water.';
  const found = await ask(web, ['web_research_search', { query: 'heron' }], answer, 'Herons?');
  assert.deepEqual(found.images, [[`${site.url}/small.webp`, 'image/webp']]);
  const read = await ask(web, ['web_research_read_page', { url: `${site.url}/herons` }], answer, `${site.url}/herons`);
  assert.deepEqual(read.images, [[`${site.url}/wading.jpg`, 'image/jpeg']]);
  const off = await ask(
    { ...web, show_source_images: false },
    ['web_research_search', { query: 'heron' }],
    answer,
    'x',
  );
  assert.deepEqual(off.images, []);
});

test('guests of a link see the pictures of web results, and no stored files of the workspace', async () => {
  const images = { show_source_images: true };
  const guest = async (path: string) => {
    const { json } = await call('POST', `${path}/share`);
    return (await call('GET', `/v1/public/conversations/${json.public_access_token}`, undefined, { key: null })).text;
  };
  const web = { base_tools: [{ type: 'web_research', enabled: true }], ...images };
  const found = await ask(web, ['web_research_search', { query: 'heron' }], 'Herons wade in shallow water.', 'Herons?');
  assert.match(await guest(found.path), /small\.webp/);
  const pictures = await kb.base(quiet, { name: 'Guests' });
  await kb.fill(pictures, { 'heron.png': golden('heron.png') });
  const tool: [string, object] = ['kb_guests_search', { query: 'heron' }];
  const own = await ask({ knowledge_bases: [pictures], ...images }, tool, 'See [heron.png].', 'A heron?');
  assert.equal(own.images.length, 1);
  assert.doesNotMatch(await guest(own.path), /store:/);
});
