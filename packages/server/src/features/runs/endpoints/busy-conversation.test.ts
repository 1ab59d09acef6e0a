import assert from 'node:assert/strict';
import { test } from 'node:test';
import { held, openTestServer, textsOf, until } from './testing.ts';

const { provider, stream, open, talk, call, post, runsOf, storedOf, logged } = await openTestServer();

async function busy() {
  const path = await talk();
  const reply = held();
  provider.reply(reply);
  const watching = await stream(path, 'First', 'ui');
  await watching.heard('w01');
  return { path, watching, text: reply.text, release: reply.release };
}
const counted = async (path: string) => [(await storedOf(path)).length, (await runsOf(path)).length];

test('refuses a second message while the agent answers, at every endpoint', async () => {
  const { path, watching, release } = await busy();
  const [said] = await storedOf(path);
  const before = await counted(path);
  for (const [door, body] of [
    ['', { content: 'Second' }],
    ['/chat', { content: 'Second' }],
    ['/stream?if_running=reject', { content: 'Second' }],
    [`/messages/${said.id}/edit`, { content: 'Second' }],
    [`/messages/${said.id}/regenerate`, undefined],
  ] as const) {
    const { status, json } = await call('POST', `${path}${door}`, body);
    assert.deepEqual([status, json.code], [409, 'run_in_progress'], door);
  }
  assert.deepEqual(await counted(path), before);
  release();
  await watching.whole();
});

test('answers queued messages one at a time, in their order', async () => {
  const { path, watching, text, release } = await busy();
  const asked = provider.requests.length;
  const waiting = [];
  for (const [index, content] of ['Second', 'Third', 'Fourth'].entries()) {
    provider.reply({ text: `Answer to ${content}.`, chunk_delay_ms: 20 });
    waiting.push(post(`${path}?if_running=enqueue`, { content }));
    await until('it waits', async () => (await runsOf(path)).length === index + 2);
  }
  const statuses = (await runsOf(path)).map(({ status }) => status);
  assert.deepEqual(statuses, ['running', 'queued', 'queued', 'queued']);
  assert.deepEqual(textsOf((await call('GET', path)).json), ['First'], 'what waits is not said yet');
  release();
  await watching.whole();
  const answers = await Promise.all(waiting);
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.deepEqual(textsOf((await call('GET', path)).json), [
    'First',
    text,
    ...['Second', 'Third', 'Fourth'].flatMap((content) => [content, `Answer to ${content}.`]),
  ]);
  const told = provider.requests.slice(asked).map(({ body }) => body.messages.at(-1).content);
  assert.deepEqual(told, ['Second', 'Third', 'Fourth']);
});

test('a client that joins while messages are queued sees the current answer', async () => {
  const { path, watching, release } = await busy();
  provider.reply({ text: 'Later.', deltas: 1 });
  const waiting = await open(`${path}/stream?format=ui&if_running=enqueue`, { method: 'POST', body: { content: 'x' } });
  const joined = await open(`${path}/events?format=ui`);
  await joined.heard('w00');
  release();
  assert.equal(await joined.whole(), await watching.whole());
  assert.match(await waiting.whole(), /Later\./);
});

test('an interrupting message stops the answer and is answered itself', async () => {
  // It would never come to its end by itself.
  const { path, watching } = await busy();
  provider.reply({ text: 'At your service.' });
  const { status, json } = await post(`${path}/chat?if_running=interrupt`, { content: 'Stop that' });
  assert.equal(status, 200);
  assert.equal(json.parts.at(-1).parts.at(-1).content, 'At your service.');
  assert.match(await watching.whole(), /"abort"/);
  assert.deepEqual(
    (await runsOf(path)).map((run) => run.status),
    ['stopped', 'completed'],
  );
});

test('with nothing running, waiting and interrupting are the same as sending', async () => {
  for (const way of ['enqueue', 'interrupt', 'reject']) {
    const path = await talk();
    provider.reply({ text: 'At once.' });
    const { json } = await post(`${path}?if_running=${way}`);
    assert.deepEqual(textsOf(json), ['Hello', 'At once.']);
  }
});

test('of messages sent at the same moment exactly one is answered', async () => {
  for (let round = 0; round < 5; round++) {
    const path = await talk();
    const reply = held();
    provider.reply(reply);
    let refused = 0;
    const sent = Array.from({ length: 6 }, async (_, n) => {
      const answer = await post(path, { content: `m${n}` });
      if (answer.status === 409) refused++;
      return answer;
    });
    await until('all others are refused', () => refused === 5);
    reply.release();
    const answers = await Promise.all(sent);
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, 409, 409, 409, 409, 409]);
    assert.deepEqual(await counted(path), [2, 1]);
  }
});

test('messages that may wait, sent at the same moment, are all answered', async () => {
  const path = await talk();
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, n) => post(`${path}/chat?if_running=enqueue`, { content: `SAY m${n}` })),
  );
  assert.ok(answers.every(({ status }) => status === 200));
  assert.deepEqual(await counted(path), [12, 6]);
  const { json } = await call('GET', path);
  for (let n = 0; n < 12; n += 2) assert.equal(textsOf(json)[n], `SAY ${textsOf(json)[n + 1]}`);
  assert.equal(logged.filter((line) => line.includes('"level":"error"')).length, 0);
});
