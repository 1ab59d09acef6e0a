import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listenOnSocket } from '../../../test/support/socket-client.ts';
import { knowledgeApp } from '../knowledge-bases/testing.ts';
import { makePeopleIn } from '../people/testing.ts';
import { openEventsAt } from './testing.ts';

const kb = await knowledgeApp();
const { call, query, admin } = kb;
const open = openEventsAt((await listenOnSocket(kb.app)).port);

/** Streams of an administrator, and of a key of the same workspace that may only run agents. */
async function openBoth() {
  const { home } = await makePeopleIn({ call });
  const weak = await call('POST', `/v1/admin/groups/${home}/api-keys`, { name: 'weak', permissions: ['agents_run'] });
  return [await open({ 'x-api-key': admin }), await open({ 'x-api-key': weak.json.value })] as const;
}

test('tells how far an index is that is built anew, to those who may change knowledge bases', async () => {
  const id = await kb.base();
  await kb.fill(id, { 'a.txt': 'Herons nest in April.' });
  await kb.ready(id);
  const [all, weak] = await openBoth();
  const runs = (await call('POST', `/v1/knowledge-bases/${id}/reindex`)).json;
  assert.ok(runs.length > 0);
  const event = await all.heard('ingestion_run.progress', runs[0]);
  assert.deepEqual(event.parent, { kind: 'knowledge_base', id });
  await call('POST', '/v1/agents', { name: 'Last' });
  await weak.heard('agent.created');
  assert.ok(!weak.names().includes('ingestion_run.progress'));
});

test('tells how far a job about a person is, to administrators of the organization', async () => {
  const [all, weak] = await openBoth();
  const { aMember } = await makePeopleIn({ call });
  const person = await aMember('Reader');
  const started = await call('POST', `/v1/admin/users/${person.id}/export`);
  assert.equal(started.status, 200, started.text);
  await all.heard('data_job.progress', started.json.id);
  await call('POST', '/v1/agents', { name: 'Last' });
  await weak.heard('agent.created');
  assert.ok(!weak.names().includes('data_job.progress'));
});

test('tells when a channel stops delivering and when it delivers again', async () => {
  const [all, weak] = await openBoth();
  const agent = (await call('POST', '/v1/agents', { name: 'Desk' })).json;
  const config = { signing_secret: 'a-signing-secret', bot_token: 'xoxb-a-token' };
  const made = await call('POST', `/v1/agents/${agent.id}/deployments`, { channel: 'slack', name: 'Ours', config });
  assert.equal(made.status, 200, made.text);
  const set = (error: string | null) =>
    query('update deployments set last_error = $1 where id = $2', [error, made.json.id]);
  // What the channel itself stores when it can not deliver.
  await set('refused');
  await all.heard('deployment.failing', made.json.id);
  await set(null);
  await all.heard('deployment.recovered', made.json.id);
  await call('POST', '/v1/agents', { name: 'Last' });
  await weak.heard('agent.created');
  assert.ok(!weak.names().some((name) => name.startsWith('deployment.')));
});
