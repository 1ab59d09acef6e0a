import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { loopback } from '../../../drivers/web/testing.ts';
import { knowledgeApp } from '../testing.ts';

type Pages = Record<string, string | { status?: number; body?: string | Buffer; headers?: Record<string, string> }>;

/** A web site whose pages can be changed while the tests run; it knows what was asked of it. A held one answers later. */
async function webSite(pages: Pages, held?: 'held') {
  const { promise: open, resolve: release } = Promise.withResolvers<void>();
  if (!held) release();
  const server = await loopback(async (request, response) => {
    await open;
    const page = pages[request.url ?? ''];
    if (page === undefined) return void response.writeHead(404).end();
    const { status = 200, body = '', headers = {} } = typeof page === 'string' ? { body: page } : page;
    const etag = `"${createHash('sha1').update(body).digest('hex')}"`;
    const type = { 'content-type': 'text/html; charset=utf-8', etag, ...headers };
    if (status === 200 && request.headers['if-none-match'] === etag) return void response.writeHead(304, type).end();
    response.writeHead(status, type).end(body);
  });
  const asked = () => server.asked.map((line) => line.replace(/^GET [^/]+/, ''));
  return { ...server, pages, asked, release };
}

const page = (title: string, text: string, ...links: string[]) =>
  `<html><head><title>${title}</title></head><body><p>${text}</p>${links.map((to) => `<a href="${to}">x</a>`).join(' ')}</body></html>`;

const kb = await knowledgeApp({ web_allow: ['127.0.0.1'] });

async function crawled(id: string, site: string) {
  return kb.until(
    async () => (await kb.call('GET', `${kb.at}/${id}/sites/${site}`)).json,
    (own) => own.status === 'idle',
  );
}
async function crawl(url: string, wishes: object, id?: string) {
  const base = id ?? (await kb.base({ auto_summary: false }));
  const made = await kb.call('POST', `${kb.at}/${base}/sites`, { url, ...wishes });
  assert.equal(made.status, 200, made.text);
  const site = await crawled(base, made.json.id);
  const documents = await kb.trained(base);
  const urls = documents.map((one) => new URL(one.m_source_metadata.url).pathname).sort();
  return { id: base, site, documents, urls };
}
const again = async (id: string, site: string) => {
  const begun = await kb.call('POST', `${kb.at}/${id}/sites/${site}/crawl`);
  assert.equal(begun.json.status, 'crawling');
  const own = await crawled(id, site);
  await kb.trained(id);
  return own;
};
const reasons = async (id: string, site: string) =>
  Object.fromEntries(
    (await kb.call('GET', `${kb.at}/${id}/sites/${site}/pages?size=100`)).json.items.map(
      (one: { url: string; state: string; reason: string | null }) => [
        new URL(one.url).pathname,
        [one.state, one.reason].filter(Boolean).join(': '),
      ],
    ),
  );

test('links are followed as deep as asked for, each page once and as a document with its address', async () => {
  const site = await webSite({
    '/': page('Home', 'Welcome to the orchard.', '/apples', '/pears?utm_source=x#top', '/', 'mailto:a@b.test'),
    '/apples': page('Apples', 'Apples are red.', '/', '/apples', '/apples/deep'),
    '/pears': page('Pears', 'Pears are green.', '/apples'),
    '/apples/deep': page('Deep', 'Quinces lie deep.', '/apples/deeper'),
    '/apples/deeper': page('Deeper', 'Never read.'),
  });
  const { id, documents, urls, site: own } = await crawl(`${site.url}/`, { depth: 2, prefix: '/web' });
  assert.deepEqual(urls, ['/', '/apples', '/apples/deep', '/pears']);
  assert.ok(
    documents.every(
      ({ status, source_type, prefix }) => `${status} ${source_type} ${prefix}` === 'trained website /web',
    ),
  );
  assert.deepEqual(own.pages, { added: 4 });
  assert.deepEqual([own.documents, own.error], [4, null]);
  const [hit] = await kb.search(id, 'quinces', { prefix: '/web' });
  assert.equal(hit.source, `${site.url}/apples/deep`);
  assert.equal(hit.citation.title, 'Deep');
  assert.equal(new Set(site.asked()).size, site.asked().length, 'nothing was asked twice');
  assert.ok(site.asked().includes('/robots.txt'));
  const [run] = (await kb.call('GET', `${kb.at}/${id}/runs`)).json.filter(
    (one: { kind: string }) => one.kind === 'crawl',
  );
  assert.deepEqual([run.status, run.progress, run.output.added], ['completed', 100, 4]);
  const bare = await crawl(`${site.url}/`, { depth: 0 });
  assert.deepEqual(bare.urls, ['/']);
});

test('there are never more pages than allowed, however many links a site makes up', async () => {
  let made = 0;
  const { url } = await loopback((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(page('Day', `Day ${request.url}`, `/next/${++made}`, `/more/${++made}`));
  });
  const { documents, site } = await crawl(`${url}/`, { depth: 20, max_pages: 5 });
  assert.equal(documents.length, 5);
  assert.deepEqual(site.pages, { added: 5 });
});

test('robots.txt, noindex and nofollow are heeded', async () => {
  const site = await webSite({
    '/robots.txt': { body: 'User-agent: *\nDisallow: /secret\nAllow: /', headers: { 'content-type': 'text/plain' } },
    '/': page('Home', 'Home.', '/secret/a', '/open', '/quiet', '/still'),
    '/secret/a': page('Secret', 'Secret words.'),
    '/open': { body: page('Open', 'Open.', '/beyond'), headers: { 'x-robots-tag': 'nofollow' } },
    '/quiet': `<meta name="robots" content="noindex">${page('Quiet', 'Not kept.', '/behind')}`,
    '/still': `<meta name="robots" content="nofollow">${page('Still', 'Kept.', '/unseen')}`,
    '/behind': page('Behind', 'Behind the quiet one.'),
    '/beyond': page('Beyond', 'x'),
    '/unseen': page('Unseen', 'x'),
  });
  const { id, urls, site: own } = await crawl(`${site.url}/`, { depth: 5 });
  assert.deepEqual(urls, ['/', '/behind', '/open', '/still']);
  assert.ok(!site.asked().some((path) => /secret|beyond|unseen/.test(path)));
  const said = await reasons(id, own.id);
  assert.match(said['/secret/a'], /^skipped: robots/);
  assert.match(said['/quiet'], /^skipped: It asks not/);
});

test('does not crawl a site whose robots.txt fails, and reports the error', async () => {
  const site = await webSite({ '/robots.txt': { status: 500 }, '/': page('Home', 'Home.') });
  const { documents, site: own } = await crawl(`${site.url}/`, {});
  assert.deepEqual(documents, []);
  assert.equal(own.error.code, 'robots_unavailable');
  assert.match(own.error.message, /\(robots\.txt\): it answered 500$/);
  assert.deepEqual(site.asked(), ['/robots.txt']);
});

test('redirects stay on the site, and none leads to a private address', async () => {
  const other = await webSite({ '/': page('Other', 'Other site.') });
  const site = await webSite({
    '/': page('Home', 'Home.', '/old', '/away', '/inside', '/round', '/huge', '/picture.png', '/data', '/broken'),
    '/old': { status: 301, headers: { location: '/new' } },
    '/new': page('New', 'Moved here.'),
    '/away': { status: 302, headers: { location: `${other.url}/` } },
    '/inside': { status: 302, headers: { location: 'http://10.0.0.1/admin' } },
    '/round': { status: 302, headers: { location: '/round' } },
    '/huge': { headers: { 'content-length': String(11 * 1024 * 1024) } },
    '/data': { body: Buffer.from([0, 1, 2]), headers: { 'content-type': 'application/x-strange' } },
    '/broken': { status: 500 },
  });
  const { id, urls, site: own } = await crawl(`${site.url}/`, {});
  assert.deepEqual(urls, ['/', '/new']);
  const said = await reasons(id, own.id);
  assert.match(said['/old'], /^skipped: It leads to .*\/new$/);
  assert.match(said['/away'], /^skipped: It leads to another site/);
  assert.match(said['/inside'], /^failed: It could not be fetched/);
  assert.match(said['/round'], /^failed/);
  assert.match(said['/huge'], /^failed: .*larger/);
  assert.match(said['/data'], /^skipped: There is no text/);
  assert.match(said['/broken'], /^failed: It answered 500/);
  assert.equal(said['/picture.png'], undefined);
});

test('a page of other formats is a document too, and one that says the same as another is not', async () => {
  const site = await webSite({
    '/': page('Home', 'Home.', '/notes.txt', '/index.html'),
    '/index.html': page('Home', 'Home.', '/notes.txt', '/index.html'),
    '/notes.txt': { body: 'Plain walnuts.', headers: { 'content-type': 'text/plain' } },
  });
  const { id, urls, site: own } = await crawl(`${site.url}/`, {});
  assert.deepEqual(urls, ['/', '/notes.txt']);
  assert.match((await reasons(id, own.id))['/index.html'], /says the same/);
  assert.equal((await kb.search(id, 'walnuts')).length, 1);
});

test('a second crawl trains changed pages, removes missing pages and skips unchanged pages', async () => {
  const site = await webSite({
    '/': page('Home', 'Home.', '/a', '/b', '/c'),
    '/a': page('A', 'About almonds.'),
    '/b': page('B', 'About beans.'),
    '/c': { body: page('C', 'About cashews.'), headers: { etag: '' } },
  });
  const { id, documents, site: own } = await crawl(`${site.url}/`, {});
  assert.equal(documents.length, 4);
  const before = new Map((await kb.chunks(id)).map((chunk) => [chunk.content, chunk.id]));
  site.pages['/'] = page('Home', 'Home.', '/a', '/b', '/c', '/d');
  site.pages['/b'] = page('B', 'About barley.');
  site.pages['/d'] = page('D', 'About dates.');
  // A change in a script is not visible text, so it does not count as a change.
  site.pages['/c'] = {
    body: `<script>key=${'x'.repeat(9)}</script>${page('C', 'About cashews.')}`,
    headers: { etag: '' },
  };
  delete site.pages['/a'];
  const now = await again(id, own.id);
  assert.deepEqual(now.pages, { changed: 2, added: 1, gone: 1, unchanged: 1 });
  assert.deepEqual(await kb.found(id, 'almonds'), []);
  assert.deepEqual(await kb.found(id, 'beans'), []);
  assert.deepEqual(await kb.found(id, 'barley'), ['B']);
  assert.deepEqual(await kb.found(id, 'dates'), ['D']);
  const after = new Map((await kb.chunks(id)).map((chunk) => [chunk.content, chunk.id]));
  const cashews = [...after.keys()].find((text) => text.includes('cashews')) as string;
  assert.equal(after.get(cashews), before.get(cashews), 'the same passage as before');
  // Those of vanished pages are removed right after the crawl.
  await kb.until(
    async () => (await kb.call('GET', '/v1/files?search=.html&size=100')).json.items,
    (files) =>
      files.filter((file: { source_metadata: { kb_id: string } }) => file.source_metadata?.kb_id === id).length === 4,
  );

  // A site that is down is not gone; one that only lost a page keeps it where that was wished.
  const whole = { ...site.pages };
  for (const path of Object.keys(site.pages)) site.pages[path] = { status: 500 };
  delete site.pages['/robots.txt'];
  assert.equal((await again(id, own.id)).error.code, 'nothing_crawled');
  assert.equal((await kb.documents(id)).length, 4);
  Object.assign(site.pages, whole);
  delete site.pages['/d'];
  await kb.call('PATCH', `${kb.at}/${id}/sites/${own.id}`, { on_gone: 'mark' });
  await again(id, own.id);
  const marked = (await kb.documents(id)).filter((one) => one.m_source_metadata.gone_at);
  assert.deepEqual(
    marked.map(({ name }) => name),
    ['D'],
  );
  assert.deepEqual(await kb.found(id, 'dates'), ['D']);
});

test('a schedule crawls a site again by itself; generic_train takes the same wishes', async () => {
  const site = await webSite({ '/': page('Home', 'Old words.') }, 'held');
  const id = await kb.base({ auto_summary: false });
  const train = (config: object) =>
    kb.call('POST', `${kb.at}/${id}/generic_train`, { source: { source_type: 'website', subtype: null, config } });
  const sent = await train({ urls: [`${site.url}/`], depth: 0, schedule: '0 3 * * *' });
  assert.equal(sent.status, 200, sent.text);
  const [own] = (await kb.call('GET', `${kb.at}/${id}/sites`)).json.items;
  assert.deepEqual([own.run_id, own.schedule], [sent.json[0], '0 3 * * *']);
  site.release();
  assert.match(own.next_at, /T03:00:00/);
  await crawled(id, own.id);
  await kb.ready(id);
  site.pages['/'] = page('Home', 'New words.');
  await kb.query(`update kb_sites set next_at = now() - interval '1 minute' where id = $1`, [own.id]);
  await kb.query(`select graphile_worker.add_job('knowledge.crawl-due', '{}')`);
  await kb.until(
    () => kb.found(id, 'new'),
    (found) => found.length === 1,
  );
  assert.match((await crawled(id, own.id)).next_at, /T03:00:00/);
  for (const schedule of ['* * * * *', 'often', '0 0 3 * * *'])
    assert.equal((await train({ urls: [`${site.url}/`], schedule })).status, 422, schedule);
  assert.equal((await train({ urls: ['ftp://x.test/'], depth: 1 })).status, 422);
  const ended = await kb.call('PATCH', `${kb.at}/${id}/sites/${own.id}`, { schedule: '' });
  assert.deepEqual([ended.json.schedule, ended.json.next_at], [null, null]);
});

test('a site that is forgotten takes its documents along, or leaves them', async () => {
  const site = await webSite({ '/': page('Home', 'Some words.') });
  const first = await crawl(`${site.url}/`, { prefix: '/one' });
  const second = await crawl(`${site.url}/`, { prefix: '/two' }, first.id);
  const at = `${kb.at}/${first.id}/sites`;
  assert.equal((await kb.call('DELETE', `${at}/${first.site.id}?keep_documents=true`)).status, 200);
  assert.equal((await kb.call('DELETE', `${at}/${second.site.id}`)).status, 200);
  assert.deepEqual(
    (await kb.documents(first.id)).map(({ prefix }) => prefix),
    ['/one'],
  );
  assert.equal((await kb.call('GET', at)).json.total, 0);
});

test('a site that asks to come back later is asked later', async () => {
  let asked = 0;
  const { url } = await loopback((request, response) => {
    if (request.url === '/robots.txt') return void response.writeHead(404).end();
    if (++asked === 1) return void response.writeHead(503, { 'retry-after': '1' }).end();
    response.writeHead(200, { 'content-type': 'text/html' }).end(page('Home', 'Patience.'));
  });
  const { urls } = await crawl(`${url}/`, {});
  assert.deepEqual([urls, asked], [['/'], 2]);
});
