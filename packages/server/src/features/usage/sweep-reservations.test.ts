import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { testServer } from '../../../test/support/test-database.ts';
import { openDatabase } from '../../db/database.ts';
import { makeLog } from '../../lib/log.ts';
import { aNode } from '../workflows/testing.ts';
import { makeUsageJobs } from './jobs.ts';

const app = await scriptedApp();
const log = makeLog('silent');
const [{ database }] = await app.query('select current_database() as database');
const db = openDatabase({ connection: { ...testServer(), database }, max: 1, log });
after(() => db.close());
const sweep = () => makeUsageJobs({ db }).sweepReservations.handler({ log, signal: AbortSignal.timeout(60_000) }, {});
const { name } = await app.provider();
const settings = { model: [`${name}/one`], max_retries_per_model: 0 };
const reserved = async (id: string) =>
  (await app.query('select tokens_reserved::int as n from conversations where id = $1', [id]))[0].n;
const reserve = (id: string, tokens: number) =>
  app.query('update conversations set tokens_reserved = $2 where id = $1', [id, tokens]);

test('gives back what a run holds that ended without settling, on every account', async () => {
  const asker = await app.converse(settings);
  const { id } = await app.ask(settings);
  await app.query('update conversations set charged_to = array[$2::uuid] where id = $1', [id, asker]);
  const held = `update runs set tokens_held = 500, finished_at = now() - $2::interval where conversation_id = $1`;
  await app.query(held, [id, '1 minute']);
  for (const one of [asker, id]) await reserve(one, 500);
  await sweep();
  assert.deepEqual([await reserved(asker), await reserved(id)], [500, 500]);
  await app.query(held, [id, '1 hour']);
  await sweep();
  assert.deepEqual([await reserved(asker), await reserved(id)], [0, 0]);
});

test('gives back what is reserved for runs that were deleted, and nothing that a run still holds', async () => {
  const [left, live] = [await app.converse(settings), await app.ask(settings)];
  await reserve(left, 300);
  await reserve(live.id, 200);
  await app.query('update runs set tokens_held = 200 where conversation_id = $1', [live.id]);
  await sweep();
  assert.deepEqual([await reserved(left), await reserved(live.id)], [0, 200]);
});

/** A workflow run for a conversation that holds so many tokens, and ended so long ago. */
async function flowRun(conversation_id: string, tokens: number, ended: string) {
  const definition = { nodes: [aNode('text', 'ComposeTextNode', { template: 'x' })], edges: [] };
  const flow = await app.call('POST', '/v1/workflows', { name: 'Flow', type: 'flow', definition });
  const run = await app.call('POST', `/v1/workflows/${flow.json.id}/runs/sync`, { input: {} });
  assert.equal(run.status, 200, run.text);
  await app.query(
    `update workflow_runs set tokens_held = $2, finished_at = now() - $4::interval,
      principal = (principal::jsonb || jsonb_build_object('accounts', json_build_array(json_build_object(
        'conversation_id', $3::text))))::json where id = $1`,
    [run.json.id, tokens, conversation_id, ended],
  );
  return run.json.id as string;
}

test('gives back what a workflow run holds only when it has ended for some minutes', async () => {
  const [lately, before] = [await app.converse(settings), await app.converse(settings)];
  await flowRun(lately, 70, '1 minute');
  await flowRun(before, 80, '1 hour');
  await reserve(lately, 70);
  await reserve(before, 80);
  await sweep();
  assert.deepEqual([await reserved(lately), await reserved(before)], [70, 0]);
});

test('gives back what is reserved when the workflow runs of a conversation hold nothing', async () => {
  const id = await app.converse(settings);
  await flowRun(id, 0, '1 minute');
  await reserve(id, 90);
  await sweep();
  assert.equal(await reserved(id), 0);
});
