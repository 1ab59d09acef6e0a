import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import { lowestIdAt } from '../../../lib/ids.ts';
import { doJob } from '../../insights/testing.ts';

const app = await scriptedApp({ run_log_days: 30, roles: ['http', 'worker'] });
const { call, query, provider, ask } = app;
const dayMs = 86_400_000;

/** A run as if it had begun and ended this long ago; its new id. */
async function agedRun(days: number, ended = days) {
  const { name } = await provider({ text: 'The answer is kept.' });
  const { id: conversation_id, metadata } = await ask({ model: [`${name}/one`] });
  const id = lowestIdAt(Date.now() - days * dayMs);
  await query(
    `with run as (
       update runs set id = $2, finished_at = now() - make_interval(days => $3) where id = $1 returning id)
     update run_events set run_id = run.id from run where run_id = $1`,
    [metadata.run_id, id, ended],
  );
  return { id, conversation_id };
}

const eventsOf = async (id: string) =>
  (await query('select count(*)::int as n from run_events where run_id = $1', [id]))[0].n;

test('deletes logs of runs that ended long ago, and nothing else of them', async () => {
  const [old, recent, late] = [await agedRun(40), await agedRun(20), await agedRun(40, 2)];
  await doJob(app, 'runs.expire-logs');
  assert.equal(await eventsOf(old.id), 0);
  assert.ok((await eventsOf(recent.id)) > 0);
  assert.ok((await eventsOf(late.id)) > 0, 'it began long ago and ended two days ago');
  const run = await call('GET', `/v1/runs/${old.id}`);
  assert.deepEqual([run.status, run.json.status], [200, 'completed']);
  const { text } = await call('GET', `/v1/conversations/${old.conversation_id}/messages`);
  assert.match(text, /The answer is kept/);
});

test('streams the end alone when the log is deleted, and its trace has no steps of it', async () => {
  const old = await agedRun(40);
  const before = await call('GET', `/v1/runs/${old.id}/events`);
  // Words that came apart stay apart in the log, and a slow moment of the machine parts them.
  assert.match(before.text, /kept/);
  await doJob(app, 'runs.expire-logs');
  const after = await call('GET', `/v1/runs/${old.id}/events`);
  assert.equal(after.status, 200);
  assert.match(after.text, /completed/);
  assert.doesNotMatch(after.text, /kept/);
  const joined = await call('GET', `/v1/conversations/${old.conversation_id}/events?format=ui&after=0`);
  assert.equal(joined.status, 200);
  assert.match(joined.text, /finish/);
  assert.equal((await call('GET', `/v1/runs/${old.id}/trace`)).status, 200);
});
