import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readChunks, readMessage } from '../dialects/testing.ts';
import { openTestServer, textsOf, until } from './testing.ts';

const { talk, post, call, stream } = await openTestServer({ providers: [] });
const preset = { model: ['preset:balanced'] };

test('with no provider a preset is answered by the built-in model, which says how to get another', async () => {
  const path = await talk(preset);
  const { status, json } = await post(path, { content: 'What is a heron?' });
  assert.deepEqual([status, json.status, json.messages.at(-1).metadata.model], [200, 'completed', 'atrium/extractive']);
  assert.match(textsOf(json)[1] as string, /language model/i);
});

test('its answer streams like any other', async () => {
  const path = await talk(preset);
  const { message, errors } = await readMessage(await readChunks(await (await stream(path, 'Hi', 'ui')).whole()));
  assert.deepEqual(errors, []);
  assert.ok(message.parts.some((part) => part.type === 'text' && part.text.length > 20));
});

test('it gives no names: the first message does', async () => {
  const path = await talk(preset, {});
  await post(path, { content: 'What is a heron?' });
  await until('it has a name', async () => (await call('GET', path)).json.name === 'What is a heron?');
});

test('a model named outright is not replaced by it', async () => {
  const { json } = await post(await talk({ model: ['gpt-4o'] }));
  const [part] = json.messages.at(-1).message_parts;
  assert.deepEqual([json.status, part.code], ['failed', 'model_not_configured']);
  assert.match(part.content, /OPENAI_API_KEY|providers/);
});
