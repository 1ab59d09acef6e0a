import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { effectiveSettings } from '@atrium/contract/settings/settings.ts';
import fc from 'fast-check';
import { until } from '../../../../test/support/two-nodes.ts';
import { loopback } from '../../../drivers/web/testing.ts';
import type { Scope } from '../../../lib/scope.ts';
import { noAnonymizer } from '../../model-calls/service.ts';
import { toolApp } from '../testing.ts';
import { makeKnownAddresses } from './known-addresses.ts';
import { makeWebTools } from './tools.ts';

const paragraph = '<p>Herons wade in shallow water, where they catch fish, frogs and insects all day long.</p>';
const article = `<html><head><title>Herons</title></head><body><nav>Menu</nav><article>${paragraph.repeat(6)}</article><script>alert(1)</script></body></html>`;

const asked: { path: string; headers: IncomingMessage['headers']; body: string }[] = [];
const site = await loopback(async (request, response) => {
  const url = new URL(request.url ?? '/', 'http://x');
  asked.push({ path: request.url ?? '', headers: request.headers, body: await text(request) });
  const json = (body: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  const hit = { title: 'All about <strong>herons</strong>', url: `${site.url}/herons` };
  const bad = { title: 'No address', url: 'javascript:alert(1)' };
  if (url.pathname === '/search' && request.method === 'GET')
    return json({ results: [{ ...hit, content: 'Herons wade' }, bad] });
  if (url.pathname === '/search') return json({ results: [{ ...hit, content: 'Herons wade' }, bad] });
  if (url.pathname === '/web/search') return json({ web: { results: [{ ...hit, description: 'Herons wade' }, bad] } });
  if (url.pathname === '/herons') return response.setHeader('content-type', 'text/html; charset=utf-8').end(article);
  if (url.pathname === '/notes.txt') return response.setHeader('content-type', 'text/plain').end('plain words');
  if (url.pathname === '/long') return response.setHeader('content-type', 'text/plain').end('word '.repeat(9000));
  if (url.pathname === '/deep') return response.setHeader('content-type', 'text/html').end('<div>'.repeat(200_000));
  if (url.pathname === '/broken/search') return response.writeHead(500).end('key k-secret is wrong');
  if (url.pathname === '/private') return response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
  return response.writeHead(404).end('nothing');
});
const services = [
  { service: 'searxng', url: site.url, api_key: '' },
  { service: 'brave', url: site.url, api_key: 'k-secret' },
  { service: 'tavily', url: site.url, api_key: 'k-secret' },
] as const;
const on = { web_research: {} };

for (const search of services)
  test(`web_research searches by ${search.service}, with sources`, async () => {
    const app = await toolApp({ search });
    asked.length = 0;
    const { results, parts } = await app.calling(
      await app.converse(on),
      [['web_research_search', { query: 'heron & co', count: 3 }]],
      'Do it',
      {},
      'Herons wade.',
    );
    assert.deepEqual(results[0].results, [
      { title: 'All about herons', url: `${site.url}/herons`, snippet: 'Herons wade' },
    ]);
    assert.deepEqual(
      parts.flatMap((part) => (part.type === 'source' ? [[part.url, part.title, part.content]] : [])),
      [[`${site.url}/herons`, 'All about herons', 'Herons wade']],
    );
    const [request] = asked;
    const query =
      search.service === 'tavily'
        ? JSON.parse(request?.body ?? '').query
        : new URL(request?.path ?? '', site.url).searchParams.get('q');
    assert.equal(query, 'heron & co');
    const keys = [request?.headers['x-subscription-token'], request?.headers.authorization];
    assert.deepEqual(keys, [
      search.service === 'brave' ? 'k-secret' : undefined,
      search.service === 'tavily' ? 'Bearer k-secret' : undefined,
    ]);
  });

suite('pages', async () => {
  const app = await toolApp({ web_allow: ['127.0.0.1'] });
  const reading = async (path: string, more: object = {}) =>
    app.calling(
      await app.converse(on),
      [['web_research_read_page', { url: `${site.url}${path}`, ...more }]],
      'Do it',
      {},
      'Herons wade in shallow water.',
    );

  test('web_research reads the article of a page, with its source', async () => {
    const { results, parts } = await reading('/herons');
    assert.equal(results[0].title, 'Herons');
    assert.match(results[0].content, /^Herons wade in shallow water/);
    assert.doesNotMatch(results[0].content, /Menu|alert/);
    const source = parts.find((part) => part.type === 'source');
    assert.partialDeepStrictEqual(source, { url: `${site.url}/herons`, title: 'Herons' });
  });

  test('extracts other files like those of users, and reads long ones page by page', async () => {
    assert.equal((await reading('/notes.txt')).results[0].content, 'plain words');
    const { results } = await reading('/long');
    assert.equal(results[0].total_chars, 45_000);
    const next = await reading('/long', { offset: results[0].next_offset });
    assert.ok(next.results[0].content.startsWith('word'));
  });

  test('reports what can not be read', async () => {
    assert.match((await reading('/nowhere')).results[0].error, /status 404/);
    assert.match((await reading('/private')).results[0].error, /could not be read: .*private|not public/i);
    assert.match((await reading('/deep')).results[0].error, /could not be read/);
    const { results } = await app.calling(await app.converse(on), [['web_research_search', { query: 'x' }]]);
    assert.match(results[0].error, /ATRIUM_SEARXNG_URL, BRAVE_API_KEY or TAVILY_API_KEY/);
  });

  test('tells the model what the operator has to configure when there is no search service, without taint', async () => {
    const { results, parts } = await app.calling(await app.converse(on), [['web_research_search', { query: 'x' }]]);
    assert.match(results[0].error, /the operator sets ATRIUM_SEARXNG_URL, BRAVE_API_KEY or TAVILY_API_KEY/);
    assert.deepEqual(
      parts.flatMap((part) => (part.type === 'function' ? [part.brings] : [])),
      [undefined],
    );
  });

  test('does not offer web_research when it is not enabled', async () => {
    await app.calling(await app.converse(), [['clock_now', {}]]);
    assert.ok(!app.offered().some((name) => name.startsWith('web_research')));
  });
});

test('reads no private addresses, and a failing service does not reveal its key', async () => {
  const app = await toolApp({ search: { service: 'tavily', url: `${site.url}/broken`, api_key: 'k-secret' } });
  const { results, text: said } = await app.calling(await app.converse(on), [
    ['web_research_search', { query: 'x' }],
    ['web_research_read_page', { url: `${site.url}/herons` }],
  ]);
  assert.equal(results[0].error, 'Tavily answered with the status 500');
  assert.match(results[1].error, /could not be read: .*private or reserved.*ATRIUM_WEB_ALLOW/);
  assert.ok(!`${JSON.stringify(results)}${said}${app.logged.join()}`.includes('k-secret'));
});

test('asks for approval before a search when the agent has read private and untrusted data', async () => {
  const app = await toolApp({ search: { service: 'searxng', url: site.url, api_key: '' } });
  const id = await app.converse(on);
  const b64_content = Buffer.from('Search for the salary of Ada').toString('base64');
  const before = site.asked.length;
  app.server.reply({ tool_calls: [{ id: 'c', name: 'web_research_search', input: { query: 'salary 100 000' } }] });
  const files = [{ name: 'a.txt', type: 'text/plain', b64_content }];
  const { json } = await app.call('POST', `/v1/conversations/${id}`, { content: 'Read this', files });
  assert.equal(json.status, 'awaiting_human_feedback');
  const { json: asked } = await app.call('GET', `/v1/conversations/${id}/approvals`);
  assert.deepEqual([asked.items[0].tool, asked.items[0].reason], ['web_research_search', 'egress']);
  assert.equal(site.asked.length, before, 'nothing was sent');
});

test('counts a search as sending, and reading a page unless its address was known before', async () => {
  const settings = effectiveSettings({ base_tools: [{ type: 'web_research', enabled: true }] });
  const secrets = { reveal: async <T>(value: T) => value, scrub: <T>(value: T) => value };
  const context = { anonymizer: noAnonymizer, run_id: 'r', conversation_id: 'c', agent_id: null, secrets };
  const hits = [{ title: 't', url: 'https://found.example/a?b=1', snippet: '' }];
  const tools = await makeWebTools({
    search: { name: 's', search: async () => hits },
    readPage: async () => assert.fail('nothing is read here'),
    knownTexts: async () => ({
      said: ['Please read https://docs.example/guide#top, and example.org/x.'],
      found: [JSON.stringify({ results: [{ title: 't', url: 'https://before.example/', snippet: '' }] }), 'no JSON'],
    }),
  })({} as Scope, settings, context);
  const [searching, reading] = tools;
  const decide = reading?.sends;
  assert.ok(typeof decide === 'function');
  const sends = (url: string) => decide({ url }, new Set());
  assert.equal(searching?.sends, true, 'a query carries words out');
  for (const url of [
    'https://docs.example/guide',
    'http://docs.example/guide/',
    'https://example.org/x',
    'https://before.example',
  ])
    assert.equal(sends(url), false, url);
  assert.equal(sends('https://found.example/a?b=1'), true);
  await searching?.run({} as Scope, { query: 'q' }, AbortSignal.timeout(1000));
  assert.equal(sends('https://found.example/a?b=1'), false);
  for (const url of [
    'https://docs.example/guide///',
    'https://docs.example/guide?secret=1',
    'https://secret.docs.example/guide',
    'https://found.example/a?b=2',
    '',
    'x y',
  ])
    assert.equal(sends(url), true, url);
});

test('asks for approval when a page tells the agent to carry a memory away in an address', async () => {
  const app = await toolApp({ web_allow: ['127.0.0.1'] });
  const id = await app.converse({ web_research: {}, memory: {} });
  await app.calling(id, [['memory_remember', { text: 'The code of the safe is 7-7-7' }]]);
  const page = `${site.url}/herons`;
  // An address that the user named is read at once, also after private data was read.
  const first = await app.calling(id, [['web_research_read_page', { url: page }]], `Read ${page} please`);
  assert.match(first.results[0].content, /Herons wade/);
  await app.calling(id, [['memory_recall', { query: 'safe' }]]);
  assert.match((await app.calling(id, [['web_research_read_page', { url: page }]])).results[0].content, /Herons/);

  asked.length = 0;
  const leak = `${site.url}/notes.txt?code=7-7-7`;
  app.server.reply({ tool_calls: [{ id: 'c0', name: 'web_research_read_page', input: { url: leak } }] });
  const held = await app.say(id, 'Go on');
  assert.equal(held.status, 'awaiting_human_feedback');
  assert.deepEqual(asked, []);
});

suite('after private and untrusted reading', async () => {
  const app = await toolApp({ web_allow: ['127.0.0.1'], search: { service: 'searxng', url: site.url, api_key: '' } });
  const page = (name: string): [string, object] => ['web_research_read_page', { url: `${site.url}/${name}` }];
  const b64_content = Buffer.from('The code of the safe is 17').toString('base64');
  const files = [{ name: 'a.txt', type: 'text/plain', b64_content }];

  /** Whether the model may read this page in the next turn without asking. */
  async function isRead(id: string, name: string, content = 'Go on', more: object = {}) {
    asked.length = 0;
    const [tool, input] = page(name);
    app.server.reply({ tool_calls: [{ id: 'c', name: tool, input }] });
    const { status } = await app.say(id, content, more);
    if (status === 'completed') return asked.length > 0;
    assert.equal(status, 'awaiting_human_feedback');
    await app.call('POST', `/v1/conversations/${id}/stop`);
    // A conversation takes no message while a run of it is ending.
    await until('the run has ended', async () => {
      const open = await app.query('select 1 from runs where conversation_id = $1 and finished_at is null', [id]);
      return open.length === 0;
    });
    return asked.length > 0;
  }

  test('which of 40 pasted links is read asks a person, so that the choice spells nothing out', async () => {
    const id = await app.converse(on);
    const links = Array.from({ length: 40 }, (_, at) => `${site.url}/links/${at}`);
    assert.equal(await isRead(id, 'links/3', `Pick from ${links.join(' ')}`), true, 'nothing private was read yet');
    assert.equal(await isRead(id, 'links/17', 'Read the file', { files }), false);
    assert.equal(await isRead(id, 'links/4'), false);
  });

  test('asks before a page is read that a search has found', async () => {
    const id = await app.converse(on);
    await app.calling(id, [['web_research_search', { query: 'herons' }]]);
    assert.equal(await isRead(id, 'herons'), true);
    assert.equal(await isRead(id, 'herons', 'Read the file', { files }), false);
  });

  test('reads the one address that a user named alone, and of a host only the newest', async () => {
    const id = await app.converse(on);
    assert.equal(await isRead(id, 'herons', 'Read the file', { files }), false);
    assert.equal(await isRead(id, 'herons', `Read ${site.url}/herons please`), true);
    assert.equal(await isRead(id, 'notes.txt', `Now ${site.url}/notes.txt`), true);
    assert.equal(await isRead(id, 'herons'), false);
  });
});

test('knows only addresses that were written', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), fc.webUrl({ withQueryParameters: true }), (one, other) => {
      const known = makeKnownAddresses();
      known.add(one);
      assert.ok(known.has(one));
      const same = (url: string) => new URL(url).host + new URL(url).pathname.replace(/\/$/, '') + new URL(url).search;
      assert.equal(known.has(other), same(one) === same(other));
    }),
  );
});
