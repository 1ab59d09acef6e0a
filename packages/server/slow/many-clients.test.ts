// Alone on the machine: it measures how many clients are served.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { held, openTestServer, until, withoutPings } from '../src/features/runs/endpoints/testing.ts';

const { app, provider, stream, open, talk, address, place, runsOf } = await openTestServer();

test('fifty clients follow one run and see the same bytes', async () => {
  const path = await talk();
  const reply = held(30);
  provider.reply(reply);
  const first = await stream(path, 'Hello', 'ui');
  await first.heard('w00');
  const others = [];
  for (let n = 0; n < 49; n++) others.push(await open(`${path}/events?format=ui`));
  await Promise.all(others.map((other) => other.heard('w00')));
  reply.release();
  const whole = await first.whole();
  assert.match(whole, /w29/);
  const texts = await Promise.all(others.map((other) => other.whole()));
  assert.deepEqual(new Set(texts), new Set([whole]));
});

/** A client on a socket of its own that reads nothing after the headers. */
async function stuck(path: string): Promise<IncomingMessage> {
  const headers = { 'x-api-key': place.key };
  const [response] = await once(get(`${address}${path}`, { headers, agent: false }), 'response');
  return response.pause();
}

test('clients that stop reading slow no other client down and hold bounded memory', { timeout: 120_000 }, async () => {
  const path = await talk();
  // Many events, each of them long: more than any buffer on the way takes. If they were waited for it would not end.
  const words = 'long words and many of them ';
  const text = `${words.repeat(1000)}§${words.repeat(139_000)}`;
  const watched = Promise.withResolvers<void>();
  provider.reply({ text, deltas: 1200, chunk_delay_ms: 1, held: { before: '§', until: watched.promise } });
  const sockets = new Set<Socket>();
  app.server.server.on('connection', (socket) => sockets.add(socket));
  const reading = await stream(path, 'Hello', 'vercel');
  await reading.heard('long words');
  const idle = await Promise.all(Array.from({ length: 10 }, () => stuck(`${path}/events?format=vercel`)));

  let most = 0;
  const measured = setInterval(() => {
    for (const socket of sockets) most = Math.max(most, socket.writableLength);
  }, 5);
  watched.resolve();
  const whole = await reading.whole();
  clearInterval(measured);
  assert.ok(whole.length > text.length, `${whole.length} of ${text.length}`);
  await until('the run is over', async () => (await runsOf(path))[0].finished_at);
  assert.ok(
    idle.every(({ complete }) => !complete),
    'those that do not read are behind',
  );
  assert.ok(most < 512 * 1024, `${most} bytes were held for one client`);

  const seen = await Promise.all(
    idle.map(async (response) => {
      let late = '';
      for await (const chunk of response.setEncoding('utf8')) late += chunk;
      return withoutPings(late) === whole;
    }),
  );
  assert.deepEqual(new Set(seen), new Set([true]), 'whoever reads on later gets all of it');
});
