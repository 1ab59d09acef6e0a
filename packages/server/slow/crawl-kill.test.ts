import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '../src/db/embedded/testing.ts';
import { loopback } from '../src/drivers/web/testing.ts';
import {
  databaseOf,
  gone,
  killAll,
  postgresIn,
  type ServerProcess,
  startProcess,
} from '../test/support/server-process.ts';

const key = 'crawl-kill-admin-key-0123456789';
const pages = 40;

test('a crawl that is killed again and again ends with every page once', async () => {
  const { url, asked } = await loopback((request, response) => {
    const at = Number(/^\/p(\d+)$/.exec(request.url ?? '')?.[1] ?? Number.NaN);
    if (!(at < pages)) return void response.writeHead(404).end();
    const links = [1, 2, 3].map((step) => `<a href="/p${at + step}">on</a>`).join('');
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<title>P${at}</title><p>Walnut number${at}.</p>${links}`);
  });
  const dir = mkdtempSync(join(tmpdir(), 'atrium-crawl-'));
  const env = { ATRIUM_ADMIN_KEY: key, ATRIUM_SECRET_KEY: 'crawl-kill-secret-key-0123', ATRIUM_WEB_ALLOW: '127.0.0.1' };
  let server: ServerProcess = startProcess({ dir, env });
  const api = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${await server.ready}/v1/knowledge-bases${path}`, {
      method,
      headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    assert.equal(response.status, 200, await response.clone().text());
    // biome-ignore lint/suspicious/noExplicitAny: what a test reads is asserted by the test itself
    return (await response.json()) as any;
  };
  try {
    const { id } = await api('POST', '', { name: 'kill', settings_: { auto_summary: false } });
    const site = await api('POST', `/${id}/sites`, { url: `${url}/p0`, depth: 20, max_pages: 100 });
    for (let kill = 0; kill < 4; kill++) {
      await sleep(300 + Math.random() * 900);
      await (kill % 2 ? server.killEverything() : server.kill());
      server = startProcess({ dir, env });
      await server.ready;
    }
    const until = Date.now() + 600_000;
    for (;;) {
      const own = await api('GET', `/${id}/sites/${site.id}`);
      const base = await api('GET', `/${id}`);
      if (own.status === 'idle' && base.training_documents === 0) break;
      assert.ok(Date.now() < until, `still crawling: ${JSON.stringify(own.pages)}`);
      await sleep(200);
    }
    const own = await api('GET', `/${id}/sites/${site.id}`);
    assert.deepEqual([own.documents, own.pages.added, own.error], [pages, pages, null]);
    const base = await api('GET', `/${id}`);
    assert.deepEqual([base.total_documents, base.trained_documents], [pages, pages]);
    const files = await sql(databaseOf(dir), 'select count(*)::int as n from files');
    assert.equal(files[0]?.['n'], pages, 'no file is left over');
    assert.ok(asked.length < pages + 3 + 4 * 4, `${asked.length} pages were asked for`);
    assert.equal(await server.stop(), 0);
  } finally {
    if (server.child.exitCode === null) server.child.kill('SIGKILL');
    killAll(postgresIn(dir));
    await gone(dir);
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  }
});
