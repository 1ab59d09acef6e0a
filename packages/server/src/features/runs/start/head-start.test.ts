import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { testServer } from '../../../../test/support/test-database.ts';
import { required } from '../../../lib/required.ts';
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
const asked = () => provider.requests.length;
const idOf = (path: string) => path.split('/').at(-1);

test('asks the model while the message is committed, and shows and stores nothing before', async () => {
  const path = await talk();
  provider.reply({ text: 'an early answer' });
  const [before, release] = [asked(), await holdCommits()];
  let isAnswered = false;
  const answer = post(path, { content: 'slow commit' }).finally(() => {
    isAnswered = true;
  });
  await untilCommitWaits();
  await until('the model is asked', () => asked() === before + 1);
  await sleep(100);
  assert.equal(isAnswered, false);
  assert.deepEqual(await runsOf(path), []);
  await release();
  const { status, text } = await answer;
  assert.equal(status, 200, text);
  assert.match(text, /an early answer/);
  assert.equal(asked(), before + 1);
  assert.equal((await storedOf(path)).length, 2);
});

test('ends the call and stores nothing when the message is not committed', async () => {
  const path = await talk();
  provider.reply({ text: 'never seen', delay_ms: 20_000 });
  const [before, release] = [asked(), await holdCommits()];
  const answer = post(path, { content: 'no commit' });
  await until('the model is asked', () => asked() === before + 1);
  await release();
  const { status, text } = await answer;
  assert.equal(status, 500);
  assert.doesNotMatch(text, /never seen|disk/);
  assert.deepEqual([await runsOf(path), await storedOf(path)], [[], []]);
  const { done } = required(provider.requests.at(-1));
  await done;
  assert.ok(required(provider.requests.at(-1)).closed_early);
  await until('the call stands in the ledger', async () => {
    const calls = await query('select status, run_id from model_calls where conversation_id = $1', [idOf(path)]);
    return calls.length === 1 && calls[0].status === 'stopped' && calls[0].run_id === null;
  });
  provider.reply({ text: 'well' });
  assert.equal((await post(path, { content: 'again' })).status, 200);
  assert.equal((await call('GET', path)).json.status, 'completed');
});

test('waits for the commit when tokens have to be reserved first', async () => {
  const path = await talk({ usage_limits_maximum_tokens: 5000, max_tokens: 1000 });
  provider.reply({ text: 'a short answer' });
  const [before, release] = [asked(), await holdCommits()];
  const answer = post(path, { content: 'slow commit' });
  await untilCommitWaits();
  await sleep(200);
  assert.equal(asked(), before);
  await release();
  assert.equal((await answer).status, 200);
  const [{ tokens_reserved, tokens_used }] = await query('select * from conversations where id = $1', [idOf(path)]);
  assert.deepEqual([Number(tokens_reserved), Number(tokens_used) > 0], [0, true]);
});

test('reads the history after the commit in later turns', async () => {
  const path = await talk();
  provider.reply({ text: 'first' }, { text: 'second' });
  await post(path, { content: 'one' });
  const [before, release] = [asked(), await holdCommits()];
  const answer = post(path, { content: 'slow commit' });
  await untilCommitWaits();
  await sleep(200);
  assert.equal(asked(), before);
  await release();
  assert.equal((await answer).status, 200);
  assert.deepEqual(
    (required(provider.requests.at(-1)).body as { messages: { role: string }[] }).messages
      .filter(({ role }) => role !== 'system')
      .map(({ role }) => role),
    ['user', 'assistant', 'user'],
  );
});

test('stores no private data of a message that is not committed', async () => {
  const path = await talk();
  const release = await holdCommits();
  const answer = post(path, { content: 'Write to maria.schmidt@example.org, no commit' });
  await untilCommitWaits();
  await sleep(200);
  await release();
  assert.equal((await answer).status, 500);
  await sleep(200);
  const kept = await query('select 1 from conversation_placeholders where conversation_id = $1', [idOf(path)]);
  assert.deepEqual(kept, []);
});

test('stores the prompt of a call that ended before the commit', async () => {
  const path = await talk();
  provider.reply({ text: 'a quick answer' });
  const [before, release] = [asked(), await holdCommits()];
  const answer = post(path, { content: 'slow commit' });
  await until('the model is asked', () => asked() === before + 1);
  // Prompts are stored every half second.
  await sleep(1200);
  await release();
  assert.equal((await answer).status, 200);
  await until('the prompt is stored', async () => {
    const prompts = await query('select 1 from call_prompts where conversation_id = $1', [idOf(path)]);
    return prompts.length === 1;
  });
});

test('answers with an error when the commit of a later turn fails', async () => {
  const path = await talk();
  provider.reply({ text: 'first' });
  await post(path, { content: 'one' });
  const before = asked();
  assert.equal((await post(path, { content: 'no commit' })).status, 500);
  assert.equal(asked(), before);
  provider.reply({ text: 'second' });
  assert.equal((await post(path, { content: 'two' })).status, 200);
});
