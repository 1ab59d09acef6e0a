import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { testServer } from '../../../test/support/test-database.ts';
import { openDatabase } from '../../db/database.ts';
import { makeLog } from '../../lib/log.ts';
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
