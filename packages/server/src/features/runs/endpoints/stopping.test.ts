import assert from 'node:assert/strict';
import { after, mock, test } from 'node:test';
import { held, openTestServer, textsOf, until } from './testing.ts';

// Disable polling: stop requests and their effect must arrive by notification.
const lookAgainAfter = 2000;
const later = globalThis.setTimeout as (work: () => void, ms?: number, ...rest: unknown[]) => NodeJS.Timeout;
const patient = (work: () => void, ms?: number, ...rest: unknown[]) =>
  later(work, ms === lookAgainAfter ? 2 ** 30 : ms, ...rest);
mock.method(globalThis, 'setInterval', () => ({ unref() {}, refresh() {} }));
mock.method(globalThis, 'setTimeout', patient as typeof setTimeout);
after(() => mock.restoreAll());

const { provider, stream, talk, call, post, runsOf, another, query } = await openTestServer();

/** The answer would never come to its end by itself. */
async function running() {
  const path = await talk();
  const reply = held();
  provider.reply(reply);
  const watching = await stream(path, 'Hello', 'ui');
  await watching.heard('w03');
  return { path, watching, asked: provider.last(), release: reply.release };
}

const tokensOf = async (path: string) =>
  (await query('select tokens_used from conversations where id = $1', [path.split('/').at(-1)]))[0].tokens_used;

test('a stop takes effect at once: the provider is disconnected and the text is kept', async () => {
  const { path, watching, asked } = await running();
  const { status, json } = await call('POST', `${path}/stop`);
  assert.deepEqual([status, json.status], [200, 'stopped']);
  await asked.done;
  assert.equal(asked.closed_early, true);
  const [, said] = textsOf(json);
  assert.match(said as string, /^w00 w01 w02 w03 /);
  assert.doesNotMatch(said as string, /w11/);
  assert.match(await watching.whole(), /"type":"abort"/);
  const [run] = await runsOf(path);
  assert.deepEqual([run.status, run.error], ['stopped', null]);
});

test('what a stopped run has used counts', async () => {
  const { path } = await running();
  const { json } = await call('POST', `${path}/stop`);
  assert.ok((await tokensOf(path)) > 0);
  assert.ok(json.messages.at(-1).metadata.usage.output_tokens > 0);
});

test('a stopped conversation goes on with the next message, and the model knows what it had said', async () => {
  const { path } = await running();
  const { json: stopped } = await call('POST', `${path}/stop`);
  provider.reply({ text: 'Here I am.' });
  const { json } = await post(path, { content: 'Still there?' });
  assert.deepEqual([json.status, textsOf(json).length], ['completed', 4]);
  const told = provider.last().body.messages.map(({ content }: { content: unknown }) => content);
  assert.ok(told.includes(textsOf(stopped)[1]));
});

test('a stop with nothing to stop is answered with the conversation as it is', async () => {
  const path = await talk();
  assert.deepEqual([(await call('POST', `${path}/stop`)).json.status], ['queued']);
  provider.reply({ text: 'Done.' });
  await post(path);
  const { status, json } = await call('POST', `${path}/stop`);
  assert.deepEqual([status, json.status, json.messages.length], [200, 'completed', 2]);
});

test('any instance can stop a run', async () => {
  const { at } = await another();
  const { path, asked } = await running();
  const { json } = await call('POST', `${path}/stop`, undefined, { at });
  assert.equal(json.status, 'stopped');
  await asked.done;
  assert.equal(asked.closed_early, true);
});

test('a stop ends the run that goes on, not the one that waits behind it', async () => {
  const { path, watching } = await running();
  provider.reply({ text: 'Second.' });
  const next = post(`${path}?if_running=enqueue`, { content: 'And then?' });
  await until('it waits', async () => (await runsOf(path)).length === 2);
  await call('POST', `${path}/stop`);
  await watching.whole();
  const { json } = await next;
  assert.deepEqual([json.status, textsOf(json).slice(2)], ['completed', ['And then?', 'Second.']]);
});

test('a run that waits is stopped at once and not at its turn: its message is taken back', async () => {
  const { path, watching, release } = await running();
  const asked = provider.requests.length;
  const next = post(`${path}/chat?if_running=enqueue`, { content: 'Never mind' });
  await until('it waits', async () => (await runsOf(path)).length === 2);
  const [, waiting] = await runsOf(path);
  const { status, json } = await call('POST', `/v1/runs/${waiting.id}/stop`);
  assert.deepEqual([status, json.status], [200, 'stopped']);
  const answer = await next;
  assert.deepEqual([answer.status, answer.json.parts.at(-1).parts.at(-1).content], [200, '']);
  assert.deepEqual(
    (await runsOf(path)).map((run) => run.status),
    ['running', 'stopped'],
    'the one before it still speaks',
  );
  release();
  await watching.whole();
  assert.equal(textsOf((await call('GET', path)).json).includes('Never mind'), false);
  assert.equal(provider.requests.length, asked);
});
