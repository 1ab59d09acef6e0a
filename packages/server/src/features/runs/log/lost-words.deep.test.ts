import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeResumingClient, streamFormats, wholeStream } from '../../../../test/support/resuming-client.ts';
import { listenOnSocket } from '../../../../test/support/socket-client.ts';
import { adminKey } from '../../../../test/support/test-config.ts';
import { twoNodes, until } from '../../../../test/support/two-nodes.ts';

const { asleep, awake, provider, say, lapse, ended, query, pool } = await twoNodes();
const addressOf = async (node: typeof asleep) => `http://127.0.0.1:${(await listenOnSocket(node)).port}`;
const [first, second] = [await addressOf(asleep), await addressOf(awake)];

/** While the test holds the lock of this number, no event is stored. */
const gate = 7_301_442;
await query(`create function stores_wait() returns trigger language plpgsql as $$
  begin perform pg_advisory_xact_lock_shared(${gate}); return new; end $$`);
await query('create trigger stores_wait before insert on run_events for each row execute function stores_wait()');
const waiting = `select pid from pg_stat_activity where wait_event = 'advisory' and datname = current_database()`;

const taking = `update runs set node_id = gen_random_uuid(), leased_until = now() - interval '1 second'`;
const takes = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like 'update runs set node_id = gen_random_uuid()%'`;

/**
 * A run on the first node that shows words, some of which are never stored: the connection that would store them is cut,
 * as by a kill. Answers what ends the first node's part, so that the second takes the run over.
 */
async function runWithLostWords({ stored }: { stored: boolean }) {
  const over = Promise.withResolvers<void>();
  const lock = await pool.connect();
  if (!stored) await lock.query(`select pg_advisory_lock(${gate})`);
  const said = `kept ${'lost '.repeat(6)}held`;
  const held = { before: stored ? 'lost' : 'held', until: over.promise };
  provider.reply({ text: said, deltas: 8, chunk_delay_ms: 15, held });
  const { run_id, conversation_id, stream } = await say(asleep);
  if (stored) {
    const spoken = `select 1 from run_events where run_id = $1 and type = 'text-delta'`;
    await until('the first words are stored', async () => (await query(spoken, [run_id])).length);
    await lock.query(`select pg_advisory_lock(${gate})`);
    over.resolve();
  }
  return {
    ...{ run_id, stream, watched: { conversation_id, run_id, key: adminKey } },
    async crash(text: string) {
      await until('a store waits', async () => (await query(waiting)).length);
      provider.reply({ text, deltas: 1 });
      // The run is another node's as soon as the store is cut off, so that the first node can't store its words again.
      let isTaken = false;
      const taken = lock.query(`${taking} where id = $1`, [run_id]).then(() => {
        isTaken = true;
      });
      // A store gives way to others after two seconds: then the next node has the run without waiting.
      await until('the next node waits, or has it', async () => isTaken || (await query(takes)).length);
      await query(`select pg_terminate_backend(pid) from (${waiting}) as stores`);
      await taken;
      over.resolve();
      await until('the first node gives up', async () => (await query(waiting)).length === 0);
      await lock.query('select pg_advisory_unlock_all()');
      lock.release();
      await lapse(run_id);
      return ended(run_id);
    },
  };
}

/** In these a client knows how far it has read; in the others one that comes back reads the answer from its beginning. */
const hasNumbers = (format: string) => format === 'ui' || format === 'json' || format === 'run';
const isLost = (frames: readonly string[]) => frames.some((frame) => frame.includes('lost'));

// Every format resets alike whether some words are stored or none, so the second is tried in one of them.
for (const stored of [true, false])
  for (const format of stored ? streamFormats : (['ui'] as const))
    test(`resets a client that resumes after words that were never stored (${format}, ${stored ? 'some' : 'none'} stored)`, async () => {
      const run = await runWithLostWords({ stored });
      const resuming = makeResumingClient(run.watched, format);
      const staying = makeResumingClient(run.watched, format);
      for (let frames = 0; frames < 100 && !isLost(resuming.frames); frames++) await resuming.read(first, 1);
      const stays = staying.read(first);
      await until('the other client reads a lost word', () => isLost(staying.frames));
      const { texts } = await run.crash('Something else.');
      assert.deepEqual(texts, ['Something else.']);
      const whole = await wholeStream(second, run.watched, format);
      assert.ok(!isLost(whole));
      if (hasNumbers(format)) {
        for (let connection = 0; connection < 5 && !(await resuming.read(second)); connection++);
        assert.deepEqual(resuming.frames, whole);
      }
      assert.equal(await stays, true, 'the stream of the first node goes on to the end');
      assert.deepEqual(staying.frames, whole);
      assert.equal(staying.resets(), 1);
      if (format === 'ui' || format === 'run') assert.equal(resuming.resets(), 1);
      assert.match(await run.stream, /lost.*data-reset.*Something else/s);
    });

test('a client that has read only stored words resumes without a reset', async () => {
  const run = await runWithLostWords({ stored: true });
  const client = makeResumingClient(run.watched, 'ui');
  for (let frames = 0; frames < 100 && !/kept/.test(client.frames.at(-1) ?? ''); frames++) await client.read(second, 1);
  await run.crash('Something else.');
  for (let connection = 0; connection < 5 && !(await client.read(second)); connection++);
  assert.equal(client.resets(), 0);
  assert.deepEqual(client.frames, await wholeStream(second, run.watched, 'ui'));
});
