import assert from 'node:assert/strict';
import { test } from 'node:test';
import { held, openTestServer, textsOf, until } from './testing.ts';

const { provider, post, call, talk, runsOf, stream } = await openTestServer();

test('a message is answered with the whole conversation, whose last message is the reply', async () => {
  const path = await talk();
  provider.reply({ text: 'Good day.' });
  const { status, json } = await post(path);
  assert.equal(status, 200);
  assert.equal(json.status, 'completed');
  assert.deepEqual(textsOf(json), ['Hello', 'Good day.']);
  const [said, reply] = json.messages;
  assert.deepEqual(said.message_parts, [{ role: 'user', type: 'user', content: 'Hello' }]);
  assert.deepEqual([reply.message_parts[0].role, reply.message_parts[0].type], ['assistant', 'text']);
  assert.deepEqual([said.metadata, reply.metadata.model], [null, 'openai/blind']);
  assert.deepEqual(
    json.ui_messages.map(({ id, role }: { id: string; role: string }) => [id, role]),
    [
      [said.id, 'user'],
      [reply.id, 'assistant'],
    ],
  );
  const { json: again } = await call('GET', path);
  assert.deepEqual(again.messages, json.messages);
});

test('sends the earlier messages to the model', async () => {
  const path = await talk();
  provider.reply({ text: 'One.' }, { text: 'Two.' });
  await post(path, { content: 'First' });
  await post(path, { content: 'Second' });
  const told = provider.last().body.messages.filter(({ role }: { role: string }) => role !== 'system');
  assert.deepEqual(
    told.map(({ role, content }: { role: string; content: unknown }) => [role, content]),
    [
      ['user', 'First'],
      ['assistant', 'One.'],
      ['user', 'Second'],
    ],
  );
});

test('the answer to /chat is the reply of this turn as model messages', async () => {
  const path = await talk();
  provider.reply({ text: 'Before.' }, { tool_calls: [{ name: 'clock_now', input: {} }] }, { text: 'It is late.' });
  await post(`${path}/chat`);
  const { status, json } = await post(`${path}/chat`, { content: 'What time is it?' });
  assert.equal(status, 200);
  const kinds = json.parts.map(({ kind, parts }: { kind: string; parts: { part_kind: string }[] }) => [
    kind,
    ...parts.map(({ part_kind }) => part_kind),
  ]);
  assert.deepEqual(kinds, [
    ['response', 'tool-call'],
    ['request', 'tool-return'],
    ['response', 'text'],
  ]);
  const last = json.parts.at(-1);
  assert.deepEqual(Object.keys(last).sort(), ['instructions', 'kind', 'metadata', 'parts', 'run_id', 'timestamp']);
  assert.deepEqual(last.parts[0].content, 'It is late.');
  assert.equal(json.parts[0].parts[0].tool_name, 'clock_now');
  const { json: conversation } = await call('GET', path);
  assert.equal(conversation.messages.at(-1).id, json.id);
  const [, run] = await runsOf(path);
  assert.equal(last.run_id, run.id);
});

test('a failed run is answered with 200, the status and an error part', async () => {
  const path = await talk({ max_retries_per_model: 0 });
  provider.reply({ status: 400, error: 'No such thing' }, { status: 400, error: 'No such thing' });
  const { status, json } = await post(path);
  assert.deepEqual([status, json.status], [200, 'failed']);
  const [part] = json.messages.at(-1).message_parts;
  assert.deepEqual([part.type, part.role, part.code], ['error', 'assistant', 'model_failed']);
  const chat = await post(`${path}/chat`);
  assert.equal(chat.status, 200);
  assert.deepEqual(
    chat.json.parts.map(({ kind }: { kind: string }) => kind),
    ['response'],
  );
  assert.match(chat.json.parts[0].parts[0].content, /No model answered/);
});

test('a run goes on when the client that waits for it leaves', async () => {
  const path = await talk();
  for (const leave of ['blocking', 'stream'] as const) {
    const reply = held();
    provider.reply(reply);
    if (leave === 'stream') {
      const watching = await stream(path);
      await watching.heard('w01');
      await watching.leave();
    } else {
      const asked = provider.requests.length;
      const leaving = new AbortController();
      const waiting = assert.rejects(post(path, { content: 'x' }, { signal: leaving.signal }));
      await until('the model is asked', () => provider.requests.length > asked);
      leaving.abort();
      await waiting;
    }
    reply.release();
    await until('the run is over', async () => (await runsOf(path)).every(({ finished_at }) => finished_at));
    const { json } = await call('GET', path);
    assert.deepEqual([json.status, textsOf(json).at(-1)], ['completed', reply.text]);
    assert.equal(provider.last().closed_early, false);
  }
});
