import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { z } from 'zod';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import type { Db } from '../../db/database.ts';
import { as, makePeopleIn } from '../people/testing.ts';
import { defineTool } from '../tools/service.ts';
import { withActors } from './service.ts';

const mail = defineTool({
  tool: 'mail_send',
  description: 'Sends a mail',
  input: z.object({ to: z.string() }),
  output: z.object({ sent: z.boolean() }),
  repeatable: false,
  run: async () => ({ sent: true }),
});
const app = await scriptedApp({ roles: ['http', 'worker'] }, { tools: [mail] });
const { call, query } = app;
const people = await makePeopleIn(app);
const ada = await people.aMember('Admin');
await query('update people set name = $2 where id = $1', [ada.id, 'Ada Byron']);
const actor = { id: ada.id, name: 'Ada Byron', kind: 'person' };
const good = async (method: string, path: string, body?: unknown, session = as(ada.cookie)) => {
  const answer = await call(method, path, body, session);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};

test('versions of agents and workflows name the person or key that made them', async () => {
  const agent = await good('POST', '/v1/agents', { name: 'Desk' });
  await call('PATCH', `/v1/agents/${agent.id}`, { definition: { top_k: 3 } });
  const versions = await good('GET', `/v1/agents/${agent.id}/versions`);
  const kinds = versions.map(({ created_by_actor: { name, kind } }: { created_by_actor: typeof actor }) => [
    name,
    kind,
  ]);
  assert.deepEqual(kinds, [
    ['Admin key (environment)', 'service_account_key'],
    ['Ada Byron', 'person'],
  ]);
  const flow = await good('POST', '/v1/workflows', { name: 'Flow' });
  const version = await good('POST', `/v1/workflows/${flow.id}/versions`, { name: 'v1' });
  assert.deepEqual(version.created_by_actor, actor);
  const [listed] = (await call('GET', `/v1/workflows/${flow.id}/versions`)).json;
  assert.deepEqual(listed.created_by_actor, actor);
});

test('an approval and the tool call name the person who decided, in the inbox and after a rename', async () => {
  const { name } = await app.provider(
    { tool_calls: [{ id: 'c', name: 'mail_send', input: { to: 'x@example.org' } }] },
    { text: 'Sent.' },
  );
  const id = await app.converse({ model: [`${name}/one`], tools: [{ type: 'mail', requires_approval: true }] });
  await call('POST', `/v1/conversations/${id}/chat`, { content: 'Send it' });
  const [asked] = (await call('GET', `/v1/conversations/${id}/approvals`)).json.items;
  assert.deepEqual([asked.decided_by, asked.decided_by_actor], [null, null]);
  const decided = await good('POST', `/v1/conversations/${id}/approvals/${asked.id}`, { decision: 'approve' });
  assert.deepEqual([decided.decided_by, decided.decided_by_actor], [ada.id, actor]);
  await call('GET', `/v1/conversations/${id}/events`);
  await query('update people set name = $2 where id = $1', [ada.id, 'Ada Lovelace']);
  const now = { ...actor, name: 'Ada Lovelace' };
  const { items } = (await call('GET', '/v1/approvals?status=all')).json;
  assert.deepEqual(items.find((item: { id: string }) => item.id === asked.id).decided_by_actor, now);
  const [line] = (await call('GET', `/v1/tool-calls?conversation_id=${id}`)).json.items;
  assert.deepEqual([line.approved_by_actor, line.actor.kind], [now, 'service_account_key']);
  await query('update people set name = $2 where id = $1', [ada.id, 'Ada Byron']);
});

test('a person who answers in place of the agent is named beside answered_by', async () => {
  const id = await app.converse({});
  await call('PATCH', `/v1/conversations/${id}`, { manual: true });
  await call('POST', `/v1/conversations/${id}/chat`, { content: 'Is anybody there?' });
  await good('POST', `/v1/conversations/${id}/human`, { content: 'I am.' });
  const { messages } = (await call('GET', `/v1/conversations/${id}`)).json;
  const reply = messages.at(-1);
  assert.deepEqual([reply.metadata.answered_by, reply.metadata.answered_by_actor], [ada.id, actor]);
  assert.deepEqual(reply.written_by_actor, actor);
});

test('a key that was revoked keeps its id and has no name', async () => {
  const keysAt = `/v1/admin/groups/${people.home}/api-keys`;
  const key = await good('POST', keysAt, { name: 'Passing' });
  const made = (await call('POST', '/v1/conversations', {}, { key: key.value })).json;
  assert.deepEqual(made.created_by_actor, { id: key.id, name: 'Passing', kind: 'api_key' });
  await good('DELETE', `${keysAt}/${key.id}`);
  const { created_by_actor } = (await call('GET', `/v1/conversations/${made.id}`)).json;
  assert.deepEqual(created_by_actor, { id: key.id, name: null, kind: null });
});

test('names of a whole list are read with one statement, and with none when the caller is the only author', async () => {
  const ids = Array.from({ length: 50 }, () => randomUUID());
  let statements = 0;
  const db = {
    rows: async () => {
      statements++;
      return [{ id: ids[0], name: 'Bo', kind: 'person' }];
    },
  } as unknown as Db;
  const caller = { tenant_id: randomUUID(), actor: { kind: 'person', id: randomUUID(), name: 'Ada' } } as const;
  const rows = [...ids, null, caller.actor.id].map((created_by) => ({ created_by }));
  const named = await withActors(db, caller, rows, 'created_by');
  assert.equal(statements, 1);
  assert.deepEqual(
    [0, 1, 50, 51].map((at) => named[at]?.created_by_actor?.name),
    ['Bo', null, undefined, 'Ada'],
  );
  await withActors(db, caller, [{ created_by: caller.actor.id }], 'created_by');
  assert.equal(statements, 1);
});
