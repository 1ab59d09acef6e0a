// Alone on the machine: it measures how long a restart delays an answer.
// Alone in its process: has a PostgreSQL of its own, which it restarts.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeApp } from '../src/app.ts';
import { startEmbedded } from '../src/db/embedded/start-embedded.ts';
import { makeLog } from '../src/lib/log.ts';
import { openaiProvider } from '../test/providers/openai-provider.ts';
import { adminKey, testConfig } from '../test/support/test-config.ts';

const dir = mkdtempSync(join(tmpdir(), 'atrium-restart-'));
const options = { dir: join(dir, 'postgres') };
let server = await startEmbedded(options);
const provider = await openaiProvider();
const none = { api_version: null, region: null, access_key_id: null, secret_access_key: null };
const account = { name: 'p', provider: 'openai-compatible' as const, base_urls: [provider.url], api_key: 'k' };
const config = testConfig(dir, { providers: [{ ...none, ...account, models: ['one'] }] });
const app = await makeApp(config, server.connection, makeLog('silent'));
after(async () => {
  await app.close();
  await provider.close();
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
});

async function call(method: 'GET' | 'POST', url: string, payload?: object) {
  const answer = await app.server.inject({
    ...{ method, url, headers: { 'x-api-key': adminKey } },
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, text: answer.payload };
}

/** The milliseconds that an answer of about five seconds takes, and its text. */
async function converse(meanwhile: () => Promise<unknown>) {
  const body = { name: 'test', settings: { model: ['p/one'] } };
  const { id } = JSON.parse((await call('POST', '/v1/conversations', body)).text);
  provider.reply({ text: 'word '.repeat(100), deltas: 100, chunk_delay_ms: 50 });
  const since = Date.now();
  const stream = call('POST', `/v1/conversations/${id}/stream?format=ui`, { content: 'Hello' });
  await sleep(1500);
  await meanwhile();
  await stream;
  for (const end = Date.now() + 60_000; ; await sleep(50)) {
    assert.ok(Date.now() < end, 'the run did not end');
    const read = await call('GET', `/v1/conversations/${id}`);
    if (read.status !== 200 || JSON.parse(read.text).status === 'running') continue;
    const messages = await call('GET', `/v1/conversations/${id}/messages`);
    return { ms: Date.now() - since, messages: messages.text };
  }
}

test('a restart of PostgreSQL costs a run at most three seconds and no second question to the model', async (t) => {
  const usual = await converse(async () => {});
  const asked = provider.requests.length;
  let away = 0;
  const restarted = await converse(async () => {
    const since = Date.now();
    await server.stop();
    await sleep(700);
    server = await startEmbedded(options);
    away = Date.now() - since;
  });
  t.diagnostic(`away ${away} ms; an answer took ${usual.ms} ms, with the restart ${restarted.ms} ms`);
  assert.ok(restarted.ms - usual.ms < 3000, `it took ${restarted.ms - usual.ms} ms longer`);
  assert.equal(provider.requests.length - asked, 1, 'the model was asked once');
  assert.match(restarted.messages, /(word ){99}word/);
});
