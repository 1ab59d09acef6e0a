import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { scriptedApp } from '../../../test/support/scripted-app.ts';
import { testServer } from '../../../test/support/test-database.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { openDatabase } from '../../db/database.ts';
import { makeLog } from '../../lib/log.ts';
import { makeUsageExpiry } from './usage-expiry.ts';

const app = await scriptedApp();
const log = makeLog('silent');
const [{ database }] = await app.query('select current_database() as database');
const db = openDatabase({ connection: { ...testServer(), database }, max: 1, log });
after(() => db.close());

const count = async () => (await app.query('select count(*)::int as n from model_calls'))[0].n as number;
const expire = (days: number) =>
  makeUsageExpiry({ db, days, deleteUnusedEndUsers: async () => 0 }).handler(
    { log, signal: AbortSignal.timeout(60_000) },
    {},
  );
/** Calls before this one are added up; all of them are, when `more` is 1. */
const addUpTo = (more: number) =>
  app.query('update insight_mark set tx = (select (max(tx)::text::bigint + $1)::text::xid8 from model_calls)', [more]);

test('deletes old calls when they are added up, and keeps the others', async () => {
  const { name } = await app.provider();
  await app.ask({ model: [`${name}/one`], max_retries_per_model: 0 });
  await until('the call is recorded', async () => (await count()) > 0);
  const calls = await count();
  await addUpTo(1);
  await expire(30);
  assert.equal(await count(), calls, 'it is not old');
  await app.query("update model_calls set at = now() - interval '31 days'");
  await addUpTo(0);
  await expire(30);
  assert.ok((await count()) > 0, 'the newest is not added up');
  await addUpTo(1);
  await expire(0);
  assert.ok((await count()) > 0, 'nothing is ever deleted');
  await expire(30);
  assert.equal(await count(), 0);
});
