import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { type Web, WebRefused } from '../../drivers/web/driver.ts';
import { fetchFile } from './fetch-file.ts';

/** A web whose every page has this status, and the body that it sends. */
function webOf(status: number) {
  const body = Readable.from(['x']);
  const web = { fetch: async (url: string) => ({ status, url, headers: {}, body }) } as unknown as Web;
  const fetch = (deadline = Date.now() + 60_000) =>
    fetchFile(web, 'https://a.example/f.txt?token=t', {
      ...{ max_bytes: 10, deadline, hosts: [], signal: new AbortController().signal },
    });
  return { body, fetch };
}

test('takes a file that its server sends, and keeps no query of its address', async () => {
  for (const status of [200, 299]) {
    const { fetch, body } = webOf(status);
    assert.deepEqual(await fetch(), {
      ...{ filename: 'f.txt', stream: body, source_metadata: { url: 'https://a.example/f.txt' } },
    });
  }
});

test('refuses other answers, and lets go of the connection', async () => {
  for (const status of [199, 300, 404]) {
    const { fetch, body } = webOf(status);
    await assert.rejects(fetch(), WebRefused);
    assert.equal(body.destroyed, true);
  }
  await assert.rejects(webOf(200).fetch(Date.now()), WebRefused, 'no time is left');
});
