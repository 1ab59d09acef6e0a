import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { scriptedApp } from '../../../../test/support/scripted-app.ts';
import { testServer } from '../../../../test/support/test-database.ts';

const { call, query, provider, converse, say } = await scriptedApp();
const many = 24;

/** Locks the row of a conversation, as a long transaction does, until the returned function is called. */
async function lockRow(id: string): Promise<() => Promise<void>> {
  const [{ database }] = await query('select current_database() as database');
  const client = new pg.Client({ ...testServer(), database });
  client.on('error', () => {});
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from conversations where id = $1 for update', [id]);
  return async () => {
    await client.query('commit');
    await client.end();
  };
}

async function until(what: string, text: string, values: unknown[] = []): Promise<void> {
  for (const since = Date.now(); (await query(text, values)).length === 0; await sleep(10))
    assert.ok(Date.now() - since < 30_000, `waited in vain: ${what}`);
}
const untilOneWaits = () =>
  until(
    'a statement waits for the row',
    `select 1 from pg_locks join pg_stat_activity using (pid)
     where not granted and locktype in ('transactionid', 'tuple') and datname = current_database()`,
  );
const late = () => sleep(30_000, 'late', { ref: false });

test('stores every message, run, reply and figure when many conversations are asked at once', async () => {
  const replies = Array.from({ length: many }, () => ({ text: 'an answer' }));
  const { name } = await provider(...replies);
  const ids = await Promise.all(Array.from({ length: many }, () => converse({ model: [`${name}/one`] })));
  const answers = await Promise.all(ids.map((id, index) => say(id, `Question ${index}`)));
  for (const [index, { conversation, text, events }] of answers.entries()) {
    assert.equal(conversation.status, 'completed');
    assert.deepEqual(
      conversation.messages.map(({ message_parts: [part] }: { message_parts: { content: string }[] }) => part?.content),
      [`Question ${index}`, 'an answer'],
    );
    assert.equal(text, 'an answer');
    assert.equal(events.at(-1)?.type, 'run-end');
  }
  const [kept] = await query(
    `select (select count(*) from runs where conversation_id = any($1) and status = 'completed' and tokens_held = 0) as runs,
      (select count(*) from run_facts where conversation_id = any($1) and messages = 2 and begins) as facts,
      (select count(*) from model_calls where conversation_id = any($1)) as calls,
      (select count(*) from run_totals where run_id in (select id from runs where conversation_id = any($1))) as totals,
      (select count(*) from conversations where id = any($1) and tokens_reserved = 0 and tokens_used > 0
        and message_count = 2) as conversations`,
    [ids],
  );
  const all = String(many);
  assert.deepEqual(kept, { runs: all, facts: all, calls: all, totals: all, conversations: all });
  const [{ asked }] = await query(
    `select count(distinct xmin::text)::int as asked from messages where conversation_id = any($1) and role = 'user'`,
    [ids],
  );
  assert.ok(asked < many, `${many} messages were stored by ${asked} statements`);
});

test('answers a new conversation as it is stored', async () => {
  const names = Array.from({ length: 12 }, (_, n) => (n % 2 ? `named ${n}` : undefined));
  const create = (name: string | undefined) =>
    call('POST', '/v1/conversations', { name, settings: { temperature: 0.5 } });
  const created = await Promise.all(names.map(create));
  assert.deepEqual(
    created.map(({ json }) => json.name),
    names.map((name) => name ?? null),
  );
  for (const { json } of created) {
    const stored = await call('GET', `/v1/conversations/${json.id}`);
    assert.deepEqual(stored.json, json);
  }
});

test('takes one of two messages that come at once for one conversation', async () => {
  // The answer takes long enough that the second message comes while the first is worked on.
  const { name } = await provider({ text: 'an answer', delay_ms: 2000 });
  const id = await converse({ model: [`${name}/one`] });
  const send = () => call('POST', `/v1/conversations/${id}/stream?format=ui`, { content: 'Hello' });
  const answers = await Promise.all([send(), send()]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  const [{ count }] = await query('select count(*) from messages where conversation_id = $1', [id]);
  assert.equal(count, '2');
});

test('does not hold up other conversations when one is locked', async () => {
  const { name } = await provider({ text: 'an answer' }, { text: 'an answer' });
  const [locked, free] = [await converse({ model: [`${name}/one`] }), await converse({ model: [`${name}/one`] })];
  const unlock = await lockRow(locked);
  const waiting = say(locked).then(() => 'locked');
  await untilOneWaits();
  const quick = say(free).then(() => 'free');
  assert.equal(await Promise.race([waiting, quick, late()]), 'free');
  await unlock();
  assert.equal(await waiting, 'locked');
});

test('ends a run whose conversation is locked when its answer comes', async () => {
  const { name } = await provider({ text: 'an answer', delay_ms: 2000 }, { text: 'an answer' });
  const [locked, free] = [await converse({ model: [`${name}/one`] }), await converse({ model: [`${name}/one`] })];
  const waiting = say(locked);
  await until('it runs', `select 1 from runs where conversation_id = $1 and status = 'running'`, [locked]);
  const unlock = await lockRow(locked);
  await untilOneWaits();
  const others = [waiting.then(() => 'locked'), say(free).then(() => 'free'), late()];
  assert.equal(await Promise.race(others), 'free');
  await unlock();
  const { conversation, text } = await waiting;
  assert.deepEqual([conversation.status, text], ['completed', 'an answer']);
});
