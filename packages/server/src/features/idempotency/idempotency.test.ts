import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../../test/support/test-app.ts';
import { testServer } from '../../../test/support/test-database.ts';
import { until } from '../../../test/support/two-nodes.ts';
import { openDatabase } from '../../db/database.ts';
import { makeLog } from '../../lib/log.ts';
import { idempotencyJobs } from './jobs.ts';

const { call, workspace, query, admin } = await testApp();
const groups = '/v1/admin/groups';
const named = async (name: string) => (await query('select 1 from workspaces where name = $1', [name])).length;
const post = (key: string, body: unknown, path = groups, as = admin) =>
  call('POST', path, body, { key: as, headers: { 'idempotency-key': key } });
const age = (key: string, interval: string) =>
  query('update idempotency_keys set created_at = now() - $2::interval where key = $1', [key, interval]);

test('the same key and body is done once and answered the same', async () => {
  const first = await post('once', { name: 'once' });
  const again = await post('once', { name: 'once' });
  assert.deepEqual([again.status, again.text], [200, first.text]);
  assert.match(String(again.headers['content-type']), /^application\/json/);
  assert.deepEqual([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']], [undefined, 'true']);
  assert.equal(await named('once'), 1);
});

test('does one of twenty simultaneous requests and answers the rest with 409', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('crowd', { name: 'crowd' })));
  assert.equal(await named('crowd'), 1);
  const done = answers.filter(({ status }) => status === 200);
  assert.ok(done.length >= 1 && new Set(done.map(({ text }) => text)).size === 1);
  for (const { status, json } of answers)
    if (status !== 200) assert.deepEqual([status, json.code], [409, 'idempotency_key_running']);
});

test('another body, path or query under the same key is refused', async () => {
  const { id } = await workspace();
  await post('reused', { name: 'reused' });
  const others = [
    await post('reused', { name: 'other' }),
    await post('reused', { name: 'reused' }, `${groups}?x=1`),
    await post('reused', { name: 'reused' }, `${groups}/${id}/api-keys`),
  ];
  for (const { status, json } of others) assert.deepEqual([status, json.code], [409, 'idempotency_key_reused']);
});

test('the same key of another caller is another key', async () => {
  const { id, key } = await workspace();
  const path = `${groups}/${id}/api-keys`;
  const [mine, theirs] = [await post('shared', { name: 'k' }, path), await post('shared', { name: 'k' }, path, key)];
  assert.deepEqual([mine.status, theirs.status], [200, 200]);
  assert.notEqual(mine.json.id, theirs.json.id);
});

test('a request that was not valid leaves the key free', async () => {
  assert.equal((await post('fixed', { nam: 'x' })).status, 422);
  assert.equal((await post('fixed', { name: 'fixed' })).status, 200);
});

test('a refusal is remembered like a success', async () => {
  const { id } = await workspace();
  const { json: me } = await call('GET', '/v1/admin/me');
  const missing = `${groups}/${id}/api-keys/${me.id}/rotate`;
  const kept = `${groups}/${me.group_id}/api-keys/${me.id}/rotate`;
  for (const [key, path, status] of [
    ['gone', missing, 404],
    ['refused', kept, 409],
  ] as const) {
    const [first, again] = [await post(key, {}, path), await post(key, {}, path)];
    assert.deepEqual([first.status, again.status, again.text], [status, status, first.text]);
    assert.equal(again.headers['idempotent-replayed'], 'true');
  }
});

test('only POST looks at the header', async () => {
  const headers = { 'idempotency-key': 'reader' };
  const list = () => call('GET', groups, undefined, { headers });
  const before = (await list()).json.length;
  await workspace();
  assert.equal((await list()).json.length, before + 1);
  assert.equal((await query('select 1 from idempotency_keys where key = $1', ['reader'])).length, 0);
});

test('a kept answer is sealed: the key that it holds is not in the table', async () => {
  const { id } = await workspace();
  const { json } = await post('sealed', { name: 'k' }, `${groups}/${id}/api-keys`);
  const [row] = await query('select t::text as text, status from idempotency_keys t where key = $1', ['sealed']);
  assert.equal(row.status, 200);
  assert.ok(!row.text.includes(json.value));
  assert.equal((await post('sealed', { name: 'k' }, `${groups}/${id}/api-keys`)).json.value, json.value);
});

test('the answer is kept by the very transaction that does the work', async () => {
  // Everything after the commit fails, as if the process had died there.
  await query(`create function die() returns trigger language plpgsql as $$ begin
    if old.status is not null then raise 'too late'; end if; return new; end $$`);
  await query('create trigger die before update on idempotency_keys for each row execute function die()');
  const first = await post('crash', { name: 'crash' });
  const [row] = await query(
    `select i.xmin = w.xmin as together from idempotency_keys i, workspaces w
     where i.key = 'crash' and w.name = 'crash'`,
  );
  await query('drop trigger die on idempotency_keys');
  assert.equal(row.together, true);
  assert.equal((await post('crash', { name: 'crash' })).text, first.text);
  assert.equal(await named('crash'), 1);
});

test('work that failed on our side leaves the key free', async () => {
  await query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'no'; end $$`);
  await query('create trigger refuse before insert on workspaces for each row execute function refuse()');
  const failed = await post('broken', { name: 'broken' });
  await query('drop trigger refuse on workspaces');
  assert.equal(failed.status, 500);
  assert.equal((await post('broken', { name: 'broken' })).status, 200);
});

test('a claim whose request died may be taken over after 15 seconds, an answer after a day', async () => {
  await post('claim', { name: 'claim' });
  await query("update idempotency_keys set status = null, answer = null where key = 'claim'");
  await age('claim', '10 seconds');
  assert.equal((await post('claim', { name: 'claim' })).json.code, 'idempotency_key_running');
  await age('claim', '16 seconds');
  assert.equal((await post('claim', { name: 'claim' })).status, 200);
  await age('claim', '23 hours');
  assert.equal((await post('claim', { name: 'other' })).status, 409);
  await age('claim', '25 hours');
  assert.equal((await post('claim', { name: 'other' })).status, 200);
  assert.deepEqual([await named('claim'), await named('other')], [2, 1]);
});

test('a claim of an older program, which renews none, holds for 150 seconds', async () => {
  await post('older', { name: 'older' });
  await query("update idempotency_keys set status = null, answer = null, claim = null where key = 'older'");
  await age('older', '140 seconds');
  assert.equal((await post('older', { name: 'older' })).json.code, 'idempotency_key_running');
  await age('older', '151 seconds');
  assert.equal((await post('older', { name: 'older' })).status, 200);
});

/** Makes workspaces of this name wait before they are stored, until the answer is called. */
async function holdUp(name: string): Promise<() => Promise<unknown>> {
  await query(`create table held_up as select 1 as held`);
  await query(`create function hold_up() returns trigger language plpgsql as $$ begin
    for turn in 1..2000 loop
      exit when not exists (select from held_up);
      perform pg_sleep(0.01);
    end loop;
    return new; end $$`);
  await query(`create trigger hold_up before insert on workspaces for each row
    when (new.name = '${name}') execute function hold_up()`);
  return async () => {
    await query('delete from held_up');
    await query('drop trigger hold_up on workspaces');
    await query('drop function hold_up()');
    await query('drop table held_up');
  };
}
const claimedAt = async (key: string) =>
  (await query('select created_at, status from idempotency_keys where key = $1', [key]))[0];

test('changes nothing when its claim was taken over while it stood still, and its successor is answered', async () => {
  const release = await holdUp('stood still');
  const first = post('still', { name: 'stood still' });
  await until('it is claimed', () => claimedAt('still'));
  await age('still', '16 seconds');
  const second = post('still', { name: 'stood still' });
  await until('it is claimed anew', async () => (await claimedAt('still')).created_at > new Date(Date.now() - 10_000));
  await release();
  const [lost, done] = await Promise.all([first, second]);
  assert.deepEqual([lost.status, lost.json.code, done.status], [409, 'idempotency_key_running', 200]);
  assert.equal(await named('stood still'), 1);
  assert.equal((await post('still', { name: 'stood still' })).text, done.text);
});

test('keeps its claim while it works for longer than one holds', async () => {
  const release = await holdUp('takes long');
  const first = post('long', { name: 'takes long' });
  await until('it is claimed', () => claimedAt('long'));
  await age('long', '14 seconds');
  await until('it is renewed', async () => (await claimedAt('long')).created_at > new Date(Date.now() - 10_000));
  assert.equal((await post('long', { name: 'takes long' })).json.code, 'idempotency_key_running');
  await release();
  assert.equal((await first).status, 200);
});

test('the hourly job removes what is older than a day', async () => {
  await post('old', { name: 'old' });
  await post('young', { name: 'young' });
  await age('old', '25 hours');
  await age('young', '23 hours');
  const database = (await query('select current_database() as name'))[0].name as string;
  const log = makeLog('silent');
  const db = openDatabase({ connection: { ...testServer(), database }, max: 2, log });
  after(() => db.close());
  const [job] = idempotencyJobs(db);
  await job?.handler({ log, signal: new AbortController().signal }, {});
  const left = await query("select key from idempotency_keys where key in ('old', 'young')");
  assert.deepEqual(left, [{ key: 'young' }]);
});

test('reports an invalid key as a validation error of the header', async () => {
  for (const bad of ['', 'two words', 'a'.repeat(256), 'é']) {
    const { status, json } = await post(bad, { name: 'x' });
    assert.equal(status, 422, `"${bad}" was taken`);
    assert.deepEqual(json.detail[0].loc, ['header', 'idempotency-key']);
  }
  assert.equal((await post('a'.repeat(255), { name: 'x' })).status, 200);
});
