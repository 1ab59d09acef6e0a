import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { twoNodes, until } from '../../test/support/two-nodes.ts';

const nodes = await twoNodes();
const { asleep, awake, provider, effects, hold, say, lapse, ended, query, call, logged } = nodes;
const sends = (word: string, name = 'send_once', id = 'call_0') => ({ tool_calls: [{ id, name, input: { word } }] });
const count = (types: readonly string[], type: string) => types.filter((one) => one === type).length;
const errors = () => logged.filter((line) => line.includes('"level":"error"'));

test('a run whose node fell silent is ended by another, once; the first, coming back, can’t add to it', async () => {
  const over = Promise.withResolvers<void>();
  const words = { text: `One. Two. ${'more '.repeat(98)}`, deltas: 100, chunk_delay_ms: 100 };
  provider.reply({ ...words, held: { before: 'more', until: over.promise } });
  const { run_id, stream } = await say(asleep);
  const spoken = `select 1 from run_events where run_id = $1 and type = 'text-delta'`;
  await until('it speaks', async () => (await query(spoken, [run_id])).length > 0);
  const first = provider.last();
  provider.reply({ text: 'Seven eight nine', deltas: 3 });
  await lapse(run_id);
  const { run, events, texts, types } = await ended(run_id);
  assert.equal(run.status, 'completed');
  assert.deepEqual(texts, ['Seven eight nine']);
  assert.deepEqual([count(types, 'run-start'), count(types, 'run-end'), count(types, 'step-end')], [1, 1, 1]);
  assert.ok(events.some((event) => event.type === 'attempt-start' && event.discard && event.attempt === 2));
  // The first node notices the takeover at its next write and disconnects; clients that stream from it still see the
  // end.
  over.resolve();
  await first.done;
  assert.equal(first.closed_early, true);
  assert.match(await stream, /Seven.*\[DONE\]/s);
  assert.deepEqual(await ended(run_id), { run, events, texts, types });
  assert.deepEqual(errors(), []);
});

test('a call under way that can’t be repeated fails the run plainly, and has had its effect once', async () => {
  const release = hold('letter');
  provider.reply({ text: 'Sending. ', ...sends('letter') });
  const { run_id } = await say(asleep);
  await until('it was sent', () => effects.get('letter'));
  await lapse(run_id);
  const { run, types, texts } = await ended(run_id);
  assert.equal(run.status, 'failed');
  assert.equal(run.error.code, 'tool_interrupted');
  assert.match(run.error.message, /send_once.*not called again/);
  assert.deepEqual([texts, count(types, 'tool-result')], [['Sending. '], 0]);
  release();
  await sleep(200);
  assert.deepEqual((await ended(run_id)).types, types, 'the first node can’t add its result');
  assert.equal(effects.get('letter'), 1);
});

test('a call under way that can be repeated is made again, and one that was finished is not', async () => {
  const release = hold('second');
  provider.reply(sends('first'), sends('second', 'send_again', 'call_1'));
  const { run_id } = await say(asleep);
  await until('the second is under way', () => effects.get('second'));
  provider.reply({ text: 'Both are sent.' });
  await lapse(run_id);
  const { run, texts, types } = await ended(run_id);
  release();
  assert.deepEqual([run.status, texts], ['completed', ['Both are sent.']]);
  assert.deepEqual([effects.get('first'), effects.get('second'), count(types, 'tool-result')], [1, 2, 2]);
  const told = provider.last().body.messages.filter(({ role }: { role: string }) => role === 'tool');
  assert.equal(told.length, 2, 'the model is told both results');
});

test('of calls that take turns only the one under way counts as interrupted', async () => {
  const release = hold('one');
  const inTurn = [
    ...sends('one', 'send_again', 'call_0').tool_calls,
    ...sends('other', 'send_once', 'call_1').tool_calls,
  ];
  provider.reply({ tool_calls: inTurn });
  const { run_id } = await say(asleep);
  await until('the first is under way', () => effects.get('one'));
  provider.reply({ text: 'Both.' });
  await lapse(run_id);
  const { run, texts } = await ended(run_id);
  release();
  assert.deepEqual([run.status, texts], ['completed', ['Both.']]);
  assert.deepEqual([effects.get('one'), effects.get('other')], [2, 1], 'the second had not begun and is made once');
});

test('a stop requested while no node executes the run is obeyed by the node that takes it over', async () => {
  const release = hold('never mind');
  provider.reply({ text: 'Wait. ', ...sends('never mind') });
  const { run_id } = await say(asleep);
  await until('it is under way', () => effects.get('never mind'));
  // The stop was requested by a node that died before it could notify this one.
  await query('update runs set stop_requested = true where id = $1', [run_id]);
  await lapse(run_id);
  const { run, texts } = await ended(run_id);
  release();
  assert.deepEqual([run.status, texts], ['stopped', ['Wait. ']]);
});

test('a stop whose notification was lost is noticed when the lease is renewed', async () => {
  const asked = provider.requests.length;
  provider.reply({ text: 'On and on', after: new Promise(() => {}) });
  const { run_id } = await say(awake);
  // A run that is stopped sooner would leave this answer to the next one.
  await until('the model is asked', () => provider.requests.length > asked);
  await query('update runs set stop_requested = true where id = $1', [run_id]);
  assert.equal((await ended(run_id)).run.status, 'stopped');
});

test('a run that its node could not end is taken over again, also by the same node', async () => {
  const refused = Promise.withResolvers<void>();
  provider.reply({ text: 'Lost', after: refused.promise }, { text: 'Found' });
  const { run_id } = await say(awake);
  // The row is held while the run wants to end, until that has failed.
  const name = 'refuse_end';
  await query(`create function ${name}() returns trigger language plpgsql as $$ begin
    if new.type = 'run-end' then raise exception 'no'; end if; return new; end $$`);
  await query(`create trigger ${name} before insert on run_events for each row execute function ${name}()`);
  refused.resolve();
  await until('it failed to end', () => errors().some((line) => line.includes('could not be ended')));
  await query(`drop trigger ${name} on run_events`);
  await lapse(run_id);
  const { run, texts } = await ended(run_id);
  assert.deepEqual([run.status, texts], ['completed', ['Found']]);
});

test('takes over many lapsed runs at once', async () => {
  const before = provider.requests.length;
  for (let made = 0; made < 60; made++) provider.reply({ after: new Promise(() => {}) });
  const runs = await Promise.all(Array.from({ length: 60 }, () => say(asleep)));
  await until('all are asked', () => provider.requests.length === before + 60);
  await query(`update runs set leased_until = now() - interval '1 second' where status = 'running'`);
  for (const { run_id } of runs) assert.equal((await ended(run_id)).run.status, 'completed');
});

test('a node with a free slot starts a run that waits on another node', async () => {
  const { run_id, conversation_id } = await say(awake, 'first');
  await ended(run_id);
  await query(
    `insert into runs (workspace_id, id, kind, conversation_id, user_message_id, message_id, status, input, said,
       actor_id, principal)
     select workspace_id, gen_random_uuid(), kind, conversation_id, gen_random_uuid(), gen_random_uuid(), 'queued',
       '{"role":"user","type":"user","content":"second"}', false, actor_id, principal
     from runs where id = $1`,
    [run_id],
  );
  const [waiting] = await query(`select id from runs where conversation_id = $1 and id <> $2`, [
    conversation_id,
    run_id,
  ]);
  assert.deepEqual((await ended(waiting.id)).texts, ['You said: second']);
  const { messages } = JSON.parse(await call(awake, 'GET', `/v1/conversations/${conversation_id}`));
  assert.equal(messages.length, 4);
});

// The last: what it does not fetch would be answered to others.
test('a later call with the id of the one that was repeated is made', async () => {
  const release = hold('again');
  provider.reply(sends('again', 'send_again'));
  const { run_id } = await say(asleep);
  await until('it is under way', () => effects.get('again'));
  provider.reply(sends('after it'), { text: 'Sent.' });
  await lapse(run_id);
  const { run } = await ended(run_id);
  release();
  assert.deepEqual([run.status, effects.get('after it')], ['completed', 1]);
});

test('a run that is taken over settles what the silent node had reserved, and the interrupted call counts', async () => {
  const over = Promise.withResolvers<void>();
  const words = { text: `One. Two. ${'more '.repeat(98)}`, deltas: 100, chunk_delay_ms: 100 };
  provider.reply({ ...words, held: { before: 'more', until: over.promise } });
  const { run_id } = await say(asleep);
  const account = async () =>
    (
      await query(
        `select c.tokens_used::int as used, c.tokens_reserved::int as reserved, r.tokens_held::int as held
         from runs r join conversations c on c.id = r.conversation_id where r.id = $1`,
        [run_id],
      )
    )[0];
  const spoken = `select 1 from run_events where run_id = $1 and type = 'text-delta'`;
  await until('it speaks', async () => (await query(spoken, [run_id])).length > 0);
  assert.ok((await account()).held > 0 && (await account()).reserved > 0);
  provider.reply({ text: 'Whole', usage: { input: 11, output: 7 } });
  await lapse(run_id);
  assert.equal((await ended(run_id)).run.status, 'completed');
  const { used, reserved, held } = await account();
  assert.deepEqual([reserved, held], [0, 0]);
  assert.ok(used > 18, `${used} tokens`);
  over.resolve();
});
