import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDoors, slowly, textsOf, until } from './testing.ts';

const { provider, talk, call, post, stream, open, runsOf, query, another, logged } = await openDoors();
const rejections: unknown[] = [];
const onRejection = (reason: unknown) => void rejections.push(reason);
process.on('unhandledRejection', onRejection);
after(() => void process.off('unhandledRejection', onRejection));
const errors = (lines = logged) => lines.filter((line) => line.includes('"level":"error"'));
const within = <T>(ms: number, what: string, work: Promise<T>) =>
  Promise.race([work, sleep(ms).then(() => assert.fail(`${what} takes more than ${ms} ms`))]) as Promise<T>;

async function running(more: { at?: string } = {}, reply = slowly(60, 50)) {
  const path = await talk();
  provider.reply(reply);
  const watching = await stream(path, 'Hello', 'ui', more);
  await watching.heard('w01');
  return { path, watching, asked: provider.last() };
}

test('a conversation that is deleted while it is answered takes the run with it, quietly', async () => {
  const { path, watching, asked } = await running();
  const blocked = post(`${path}/chat?if_running=enqueue`, { content: 'Next' });
  await until('it waits', async () => (await runsOf(path)).length === 2);
  assert.equal((await call('DELETE', path)).status, 200);
  await within(4000, 'hanging up on the provider', asked.done);
  assert.equal(asked.closed_early, true);
  await within(
    5000,
    'the end of the stream',
    watching.whole().catch(() => ''),
  );
  const { status } = await within(5000, 'the waiting call', blocked);
  assert.equal(status, 404);
  assert.deepEqual([rejections, errors()], [[], []]);
  assert.deepEqual(await query('select 1 from runs where conversation_id = $1', [path.split('/').at(-1)]), []);
});

test('a workspace’s other conversations go on when one is deleted', async () => {
  const [one, other] = [await running({}, slowly(20, 40)), await running({}, slowly(20, 40))];
  await call('DELETE', one.path);
  assert.match(await other.watching.whole(), /w19.*"finish"/s);
  assert.equal((await call('GET', other.path)).json.status, 'completed');
});

test('an instance that is closed stores its runs as stopped, with what they had said', async () => {
  const node = await another();
  const { path, watching, asked } = await running(node);
  await watching.leave();
  const waiting = await open(`${path}/stream?if_running=enqueue`, { method: 'POST', body: { content: 'x' }, ...node });
  await waiting.leave();
  await within(5000, 'closing', node.close());
  await asked.done;
  const [run, next] = await runsOf(path);
  assert.equal(run.status, 'stopped');
  const { json } = await call('GET', path);
  assert.match(textsOf(json)[1] as string, /^w00 w01/);
  assert.deepEqual([rejections, errors(node.logged)], [[], []]);
  await until('another instance takes the one that waited', async () => (await runsOf(path))[1].finished_at, 30_000);
  assert.equal((await query('select status from runs where id = $1', [next.id]))[0].status, 'completed');
});

test('an instance that is closed does not wait for those who watch', async () => {
  const node = await another();
  const { path, watching } = await running(node);
  await within(3000, 'closing', node.close());
  assert.match(await watching.whole().catch(() => watching.soFar()), /w01/);
  assert.equal((await runsOf(path))[0].status, 'stopped');
});
