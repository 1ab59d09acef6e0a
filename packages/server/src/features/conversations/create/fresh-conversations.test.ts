import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import type { ConversationRow } from '../store.ts';
import { makeFreshConversations } from './fresh-conversations.ts';

const { call, query, provider, converse, say } = await scriptedApp();

test('answers the first message by the settings that were patched in between', async () => {
  const { name, server } = await provider({ text: 'an answer' });
  const id = await converse({ model: [`${name}/one`] });
  const patched = await call('PATCH', `/v1/conversations/${id}`, { settings: { model: [`${name}/two`] } });
  assert.equal(patched.status, 200, patched.text);
  assert.equal((await say(id)).metadata.model, `${name}/two`);
  assert.equal(server.requests.length, 1);
});

test('reads a new conversation again when it was changed without a new etag', async () => {
  const { name } = await provider({ text: 'an answer' });
  const id = await converse({ model: [`${name}/one`] });
  await query(`update conversations set settings = replace(settings, '/one', '/two') where id = $1`, [id]);
  assert.equal((await say(id)).metadata.model, `${name}/two`);
});

test('refuses the first message of a conversation that was locked or deleted in between', async () => {
  const { name } = await provider({ text: 'an answer' });
  const [locked, deleted] = [await converse({ model: [`${name}/one`] }), await converse({ model: [`${name}/one`] })];
  assert.equal((await call('POST', `/v1/conversations/${locked}/lock`, {})).status, 200);
  assert.equal((await call('DELETE', `/v1/conversations/${deleted}`)).status, 200);
  const send = (id: string) => call('POST', `/v1/conversations/${id}/stream?format=ui`, { content: 'Hello' });
  assert.equal((await send(locked)).status, 423);
  assert.equal((await send(deleted)).status, 404);
});

test('takes the first message when a limit that refused it was raised', async () => {
  const { name } = await provider({ text: 'an answer' });
  const id = await converse({ model: [`${name}/one`], usage_limits_maximum_tokens: 1 });
  const settings = { usage_limits_maximum_tokens: 1_000_000 };
  assert.equal((await call('PATCH', `/v1/conversations/${id}`, { settings })).status, 200);
  assert.equal((await say(id)).text, 'an answer');
});

test('gives a remembered conversation once, for a minute, and to its workspace alone', (context) => {
  context.mock.timers.enable({ apis: ['Date'] });
  const fresh = makeFreshConversations();
  const row = { group_id: 'w', id: 'c' } as ConversationRow;
  fresh.remember(row, '7');
  assert.equal(fresh.take('other', 'c'), undefined);
  assert.equal(fresh.take('w', 'c')?.row_version, '7');
  assert.equal(fresh.take('w', 'c'), undefined);
  fresh.remember(row, '8');
  context.mock.timers.tick(60_000);
  assert.equal(fresh.take('w', 'c'), undefined);
});
