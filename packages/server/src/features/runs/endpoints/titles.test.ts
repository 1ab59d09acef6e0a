import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { held, openTestServer, until } from './testing.ts';

const { provider, talk, call, post, stream, query, logged } = await openTestServer();
const nameOf = async (path: string) => (await call('GET', path)).json.name;
const tokensOf = async (path: string) => {
  const id = path.split('/').at(-1);
  const [row] = await query('select tokens_used from conversations where id = $1', [id]);
  return Number(row.tokens_used);
};
const titled = (path: string, name: string) => until(`it is called ${name}`, async () => (await nameOf(path)) === name);

test('a conversation has no name, then a placeholder, then the name its title mode gives it', async () => {
  const path = await talk({ agent_title_mode: 'first_message' }, {});
  assert.equal(await nameOf(path), null);
  const reply = held();
  provider.reply(reply);
  const watching = await stream(path, 'Where is **my order** 1042?');
  await watching.heard('w02');
  assert.equal(await nameOf(path), 'New conversation');
  reply.release();
  await watching.whole();
  await titled(path, 'Where is my order 1042?');
  assert.equal(provider.last().body.messages.at(-1).content, 'Where is **my order** 1042?', 'no model was asked');
});

test('agent_title_mode generate asks the model for a name', async () => {
  const path = await talk({ agent_title_mode: 'generate' }, {});
  provider.reply({ text: 'It is on its way.' }, { text: '"Order 1042."' });
  await post(path, { content: 'Where is my order?' });
  await titled(path, 'Order 1042');
  const { messages } = provider.last().body;
  assert.match(messages[0].content, /title/i);
  assert.match(messages.at(-1).content, /Where is my order\?.*It is on its way\./s);
  assert.equal(await tokensOf(path), 36, 'both calls count');
});

test('agent_title_prompt is what the model is asked for a name with', async () => {
  const path = await talk({ agent_title_prompt: 'Name it like a ship.' }, {});
  provider.reply({ text: 'It is on its way.' }, { text: 'The Flying Order' });
  await post(path);
  await titled(path, 'The Flying Order');
  assert.equal(provider.last().body.messages[0].content, 'Name it like a ship.');
});

test('agent_title_mode off leaves the placeholder', async () => {
  const path = await talk({ agent_title_mode: 'off' }, {});
  const asked = provider.requests.length;
  provider.reply({ text: 'Aye.' });
  await post(path);
  await sleep(200);
  assert.equal(await nameOf(path), 'New conversation');
  assert.equal(provider.requests.length, asked + 1);
});

test('a name that the client gave is kept', async () => {
  const path = await talk({ agent_title_mode: 'first_message' }, { name: 'Mine' });
  provider.reply({ text: 'Aye.' });
  await post(path);
  await sleep(200);
  assert.equal(await nameOf(path), 'Mine');
});

test('a name that was given meanwhile is kept', async () => {
  const path = await talk({}, {});
  const named = Promise.withResolvers<void>();
  const asked = provider.requests.length;
  provider.reply({ text: 'Aye.' }, { text: 'From the model', after: named.promise });
  await post(path);
  await until('the model is asked for a name', () => provider.requests.length === asked + 2);
  await call('PATCH', path, { name: 'Mine' });
  named.resolve();
  // The tokens of the title are counted before the title is set.
  await until('it was named', async () => (await tokensOf(path)) === 36);
  await sleep(100);
  assert.equal(await nameOf(path), 'Mine');
});

test('a run that no model answered is named by its first message as well', async () => {
  for (const agent_title_mode of ['generate', 'first_message']) {
    const path = await talk({ model: ['anthropic/nowhere'], agent_title_mode }, {});
    await post(path, { content: 'Set sail' });
    await titled(path, 'Set sail');
  }
  assert.equal(logged.filter((line) => line.includes('got no name')).length, 0);
});

test('a stop does not wait for a name', async () => {
  const path = await talk({}, {});
  provider.reply(held(), { text: 'Late', after: new Promise(() => {}) });
  const watching = await stream(path, 'Set sail');
  await watching.heard('w01');
  await call('POST', `${path}/stop`);
  await titled(path, 'Set sail');
});
