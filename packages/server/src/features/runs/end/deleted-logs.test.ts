import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';

const { call, query, provider, ask, workspace } = await scriptedApp();

const left = async (run_id: string) => {
  const [{ runs, events, totals }] = await query(
    `select (select count(*)::int from runs where id = $1) as runs,
       (select count(*)::int from run_events where run_id = $1) as events,
       (select count(*)::int from run_totals where run_id = $1) as totals`,
    [run_id],
  );
  return { runs, events, totals };
};

test('deletes the log and the totals of a run when its conversation is deleted', async () => {
  const { name } = await provider({ text: 'first' }, { text: 'second' });
  const [deleted, kept] = [await ask({ model: [`${name}/one`] }), await ask({ model: [`${name}/one`] })];
  assert.ok((await left(deleted.metadata.run_id)).events > 0);
  assert.equal((await call('DELETE', `/v1/conversations/${deleted.id}`)).status, 200);
  assert.deepEqual(await left(deleted.metadata.run_id), { runs: 0, events: 0, totals: 0 });
  const rest = await left(kept.metadata.run_id);
  assert.deepEqual([rest.runs, rest.totals], [1, 1]);
  assert.ok(rest.events > 0);
});

test('deletes the logs of all runs when their workspace is deleted', async () => {
  const { name } = await provider({ text: 'an answer' });
  const { id: workspace_id, key } = await workspace();
  const made = await call('POST', '/v1/conversations', { name: 'x', settings: { model: [`${name}/one`] } }, { key });
  assert.equal(made.status, 200, made.text);
  const said = await call('POST', `/v1/conversations/${made.json.id}/stream?format=ui`, { content: 'Hello' }, { key });
  assert.equal(said.status, 200, said.text);
  const [{ id }] = await query('select id from runs where workspace_id = $1', [workspace_id]);
  assert.ok((await left(id)).events > 0);
  assert.equal((await call('DELETE', `/v1/admin/groups/${workspace_id}`)).status, 200);
  assert.deepEqual(await left(id), { runs: 0, events: 0, totals: 0 });
});

test('forgets who has patched a conversation when an answer changes it', async () => {
  const { name } = await provider({ text: 'first' });
  const { id } = await ask({ model: [`${name}/one`] });
  const actor = async () => (await query('select etag_by from conversations where id = $1', [id]))[0].etag_by;
  assert.equal(await actor(), null);
  assert.equal((await call('PATCH', `/v1/conversations/${id}`, { name: 'renamed' })).status, 200);
  assert.notEqual(await actor(), null);
  await query(`update conversations set etag_seq = etag_seq + 1 where id = $1`, [id]);
  assert.equal(await actor(), null);
});
