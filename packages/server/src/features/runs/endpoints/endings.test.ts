import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { held, openTestServer, textsOf, until } from './testing.ts';

const { provider, place, talk, call, post, stream, open, runsOf, query, another, logged } = await openTestServer();
const rejections: unknown[] = [];
const onRejection = (reason: unknown) => void rejections.push(reason);
process.on('unhandledRejection', onRejection);
after(() => void process.off('unhandledRejection', onRejection));
const errors = (lines = logged) => lines.filter((line) => line.includes('"level":"error"'));
/** Those who are still connected after ten seconds are cut off. */
const graced = 9000;
const within = <T>(ms: number, what: string, work: Promise<T>) =>
  Promise.race([
    work,
    sleep(ms, undefined, { ref: false }).then(() => assert.fail(`${what} takes more than ${ms} ms`)),
  ]) as Promise<T>;

/** After it is released it speaks for many seconds more. */
async function running(more: { at?: string } = {}, reply = held(90, 100)) {
  const path = await talk();
  provider.reply(reply);
  const watching = await stream(path, 'Hello', 'ui', more);
  await watching.heard('w01');
  return { path, watching, asked: provider.last(), release: reply.release };
}

test('a conversation that is deleted while it is answered takes its runs with it, quietly', async () => {
  const { path, watching, release } = await running();
  const waiting = await open(`${path}/stream?if_running=enqueue`, { method: 'POST', body: { content: 'Next' } });
  assert.equal((await call('DELETE', path)).status, 200);
  release();
  await until('it was noticed', () => logged.some((line) => line.includes('went to another node')));
  await Promise.all([watching.leave(), waiting.leave()]);
  for (const door of ['', '/events']) assert.equal((await call('GET', `${path}${door}`)).status, 404);
  assert.deepEqual(await query('select 1 from runs where conversation_id = $1', [path.split('/').at(-1)]), []);
  assert.deepEqual([rejections, errors()], [[], []]);
});

test('the provider is hung up on when the conversation is deleted', async () => {
  const { path, watching, asked, release } = await running();
  await call('DELETE', path);
  release();
  await watching.leave();
  await asked.done;
  assert.equal(asked.closed_early, true);
});

test('disconnects from a silent provider when no client follows any more', async () => {
  const { path, watching, asked } = await running({}, held(4));
  // All received output is stored and the model sends no more: no later write can reveal that the conversation is gone.
  await watching.leave();
  await call('DELETE', path);
  await within(30_000, 'noticing', asked.done);
  assert.equal(asked.closed_early, true);
  assert.deepEqual([rejections, errors()], [[], []]);
});

test('following and waiting clients are notified when the conversation is deleted', async () => {
  const { path, watching, release } = await running();
  const blocked = post(`${path}/chat?if_running=enqueue`, { content: 'Next' }, { signal: AbortSignal.timeout(60_000) });
  blocked.catch(() => {});
  await until('it waits', async () => (await runsOf(path)).length === 2);
  await call('DELETE', path);
  release();
  // A broken stream or one that ends: in both cases the client looks, and finds nothing.
  await within(
    30_000,
    'the end of the stream',
    watching.whole().catch(() => ''),
  );
  assert.equal((await within(30_000, 'the waiting call', blocked)).status, 404);
});

test('a workspace’s other conversations go on when one is deleted', async () => {
  const [one, other] = [await running({}, held(20)), await running({}, held(20))];
  await call('DELETE', one.path);
  other.release();
  assert.match(await other.watching.whole(), /w19.*"finish"/s);
  assert.equal((await call('GET', other.path)).json.status, 'completed');
});

test('an instance that is closed lets go of its runs; another goes on with them and with what waited behind', async () => {
  const node = await another();
  const { path, watching, asked } = await running(node);
  await watching.leave();
  const sent = { method: 'POST' as const, headers: { 'x-api-key': place.key }, payload: { content: 'Next' } };
  const url = `${path}/stream?if_running=enqueue`;
  // The run is queued once the response has begun; requests during the shutdown would be refused.
  const waiting = await node.app.server.inject({ ...sent, url, payloadAsStream: true });
  waiting
    .stream()
    .on('error', () => {})
    .resume();
  const { server } = node.app.server;
  await until('nobody is connected', () => new Promise((none) => server.getConnections((_, n) => none(n === 0))));
  await within(graced, 'closing', node.close());
  await asked.done;
  assert.equal(asked.closed_early, true);
  assert.deepEqual([rejections, errors(node.logged)], [[], []]);
  await until('the next is answered', async () => (await runsOf(path))[1].finished_at);
  const runs = await runsOf(path);
  assert.deepEqual(
    runs.map(({ status }) => status),
    ['completed', 'completed'],
  );
  const texts = textsOf((await call('GET', path)).json);
  assert.deepEqual(texts, ['Hello', 'You said: Hello', 'Next', 'You said: Next']);
});

test('an instance that is closed does not wait for those who watch', async () => {
  const node = await another();
  const { path, watching } = await running(node);
  try {
    await within(graced, 'closing', node.close());
    await until('another goes on', async () => (await runsOf(path))[0].status === 'completed');
  } finally {
    // It was cut off.
    await watching.leave();
    node.app.server.server.closeAllConnections();
  }
});
