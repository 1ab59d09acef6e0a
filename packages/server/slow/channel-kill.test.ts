import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openaiProvider } from '../test/providers/openai-provider.ts';
import { gone, killAll, postgresIn, type ServerProcess, startProcess } from '../test/support/server-process.ts';

const key = 'channel-kill-admin-key-0123456789';
const dir = mkdtempSync(join(tmpdir(), 'atrium-channels-'));
const provider = await openaiProvider();
/** Replies by id. A reply may arrive twice; the id identifies the duplicate. */
const arrived = new Map<string, { thread: string; text: string }>();
const receiver = createServer(async (request, response) => {
  arrived.set(String(request.headers['webhook-id']), JSON.parse(await text(request)));
  response.end('{}');
});
await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready));
let server: ServerProcess | undefined;

after(async () => {
  server?.child.kill('SIGKILL');
  killAll(postgresIn(dir));
  await gone(dir);
  receiver.close();
  await provider.close();
  rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
});

async function start(): Promise<string> {
  const env = {
    ATRIUM_ADMIN_KEY: key,
    OPENAI_BASE_URL: provider.url,
    OPENAI_MODELS: 'one',
    ATRIUM_WEB_ALLOW: '127.0.0.1',
  };
  server = startProcess({ dir, env });
  return server.ready;
}

/** Delivers a message as channels do: again and again until it is acknowledged. */
async function deliver(address: () => string, path: string, secret: string, id: string, message: object) {
  const body = JSON.stringify(message);
  for (let tries = 0; tries < 200; tries++) {
    const at = String(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(`${id}.${at}.${body}`)
      .digest('base64');
    const headers = { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${signature}` };
    const answer = await fetch(`${address()}${path}`, { method: 'POST', headers, body }).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(100);
  }
  assert.fail(`${id} was not taken`);
}

test('of messages that were acknowledged before the program was killed none is lost, and none is heard twice', async () => {
  let address = await start();
  const api = async (path: string, body?: object) => {
    const init = body && { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${address}${path}`, {
      ...init,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
    });
    assert.equal(answer.status, 200, path);
    return answer.json() as Promise<Record<string, never>>;
  };
  const definition = { model: ['openai/one'], agent_title_mode: 'off' };
  const { id } = await api('/v1/agents', { name: 'Ada', definition });
  const reply_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const made = await api(`/v1/agents/${id}/deployments`, { channel: 'webhook', config: { reply_url } });
  const { inbound_path, made_secrets } = made as unknown as {
    inbound_path: string;
    made_secrets: { signing_secret: string };
  };
  const say = (thread: string, n: number) =>
    deliver(() => address, inbound_path, made_secrets.signing_secret, `${thread}-${n}`, {
      thread,
      text: `${thread} ${n}`,
    });

  const threads = ['a', 'b', 'c'];
  for (const [round, pause] of [0, 150, 600].entries()) {
    await Promise.all(threads.map((thread) => say(thread, round)));
    // Between what was acknowledged and its answer, at moments of which each finds something else under way.
    await sleep(pause);
    await server?.kill();
    address = await start();
  }
  await Promise.all(threads.map((thread) => say(thread, 3)));
  // What a channel delivers again, since it never heard that it was taken, changes nothing.
  await Promise.all(threads.map((thread) => say(thread, 0)));

  for (let look = 0; arrived.size < 12 && look < 1200; look++) await sleep(50);
  assert.equal(arrived.size, 12, server?.output());
  const texts = (thread: string) => [...arrived.values()].filter((one) => one.thread === thread).map((one) => one.text);
  for (const thread of threads)
    assert.deepEqual(
      texts(thread).sort(),
      [0, 1, 2, 3].map((n) => `You said: ${thread} ${n}`),
    );
  const { items } = (await api('/v1/conversations')) as unknown as { items: { id: string }[] };
  assert.equal(items.length, 3);
  for (const conversation of items) {
    const { messages } = (await api(`/v1/conversations/${conversation.id}`)) as unknown as {
      messages: { message_parts: { content: string }[] }[];
    };
    const said = messages.map(({ message_parts }) => message_parts[0]?.content ?? '');
    const [thread] = said[0]?.split(' ') ?? [];
    assert.deepEqual(
      said,
      [0, 1, 2, 3].flatMap((n) => [`${thread} ${n}`, `You said: ${thread} ${n}`]),
    );
  }
});
