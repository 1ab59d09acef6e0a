import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pg from 'pg';
import { testServer } from '../../../../test/support/test-database.ts';
import { openTestServer, until } from '../endpoints/testing.ts';

const { query, provider, post, talk, call, runsOf, storedOf } = await openTestServer();

// The commit of a run waits while a lock is held, or fails, as its message says.
await query(`create function hold_commit() returns trigger language plpgsql as $$ begin
  if new.input::text like '%commit%' then perform pg_advisory_xact_lock_shared(4711); end if;
  if new.input::text like '%no commit%' then raise exception 'the disk is full'; end if;
  return null;
end $$`);
await query(`create constraint trigger hold_commit after insert on runs deferrable initially deferred
  for each row execute function hold_commit()`);

const [{ database }] = await query('select current_database() as database');
const holder = new pg.Client({ ...testServer(), database });
// The database is dropped with its connections.
holder.on('error', () => {});
await holder.connect();
after(() => holder.end());
/** Commits wait until the returned function is called. */
async function holdCommits() {
  await holder.query('select pg_advisory_lock(4711)');
  return () => holder.query('select pg_advisory_unlock(4711)');
}
const untilCommitWaits = () =>
  until('a commit waits', async () => {
    const waiting = await query(`select 1 from pg_locks where locktype = 'advisory' and not granted`);
    return waiting.length > 0;
  });
const requests = () => provider.requests.length;
const idOf = (path: string) => path.split('/').at(-1);

test('asks the model once, after the commit, when a commit is slow', async () => {
  const path = await talk();
  provider.reply({ text: 'an answer' });
  const [before, release] = [requests(), await holdCommits()];
  const answer = post(path, { content: 'slow commit' });
  await untilCommitWaits();
  // Round trips give a request that was sent too early the time to arrive.
  for (let trips = 0; trips < 10; trips++) await call('GET', path);
  assert.equal(requests(), before);
  assert.deepEqual(await runsOf(path), []);
  await release();
  const { status, text } = await answer;
  assert.equal(status, 200, text);
  assert.match(text, /answer/);
  assert.equal(requests(), before + 1);
  assert.equal((await storedOf(path)).length, 2);
});

test('asks no model and stores nothing when a first message is not committed', async () => {
  const path = await talk();
  const before = requests();
  const { status, text } = await post(path, { content: 'Write to maria.schmidt@example.org, no commit' });
  assert.equal(status, 500);
  assert.doesNotMatch(text, /disk/);
  assert.equal(requests(), before);
  assert.deepEqual([await runsOf(path), await storedOf(path)], [[], []]);
  for (const table of ['conversation_placeholders', 'model_calls'])
    assert.deepEqual(await query(`select 1 from ${table} where conversation_id = $1`, [idOf(path)]), [], table);
  provider.reply({ text: 'well' });
  assert.equal((await post(path, { content: 'again' })).status, 200);
  assert.equal((await call('GET', path)).json.status, 'completed');
});

test('asks no model when a later message is not committed', async () => {
  const path = await talk();
  provider.reply({ text: 'first' });
  await post(path, { content: 'one' });
  const before = requests();
  assert.equal((await post(path, { content: 'no commit' })).status, 500);
  assert.equal(requests(), before);
  provider.reply({ text: 'second' });
  assert.equal((await post(path, { content: 'two' })).status, 200);
});
