import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApprovedCrashConversation, startCrashConversation } from '../test/crash/crash-conversations.ts';
import { inOwnWorkspace, makeCrashTestServer, until } from '../test/crash/crash-test-server.ts';

const rounds = Number(process.env['CRASH_ROUNDS'] ?? 5);
const rig = await makeCrashTestServer();
await rig.start();
after(() => rig.close());

/**
 * Blocks every write of a run past a chosen event, so that a kill hits it exactly there. A trap is void after
 * PostgreSQL restarts, because the next server takes over runs before the test could remove the trap.
 */
await rig.query(`
  create table crash_traps (
    conversation_id uuid primary key, seq integer not null, made timestamptz default pg_postmaster_start_time());
  create function crash_trap() returns trigger language plpgsql as $$
  begin
    if exists (select 1 from crash_traps join runs using (conversation_id)
               where runs.id = new.run_id and new.seq > crash_traps.seq and made = pg_postmaster_start_time()) then
      perform pg_sleep(60);
    end if;
    return new;
  end $$;
  create trigger crash_trap before insert on run_events for each row execute function crash_trap()`);
await rig.query(`
  create function set_trap() returns trigger language plpgsql as $$
  declare at integer := substring(new.input->>'content' from 'trap (\\d+)')::integer;
  begin
    if at is not null then insert into crash_traps (conversation_id, seq) values (new.conversation_id, at); end if;
    return new;
  end $$;
  create trigger set_trap after insert on runs for each row execute function set_trap()`);

const held = `select pid from pg_stat_activity where wait_event = 'PgSleep'`;
const set = `select 1 from crash_traps where made = pg_postmaster_start_time()`;
const paused = `select 1 from runs where status = 'awaiting_human_feedback'`;
/** Deletes the traps first; otherwise the next waiting write would run into the trap. */
async function release(): Promise<void> {
  await rig.query('delete from crash_traps');
  await rig.query(`select pg_terminate_backend(pid) from (${held}) as waiting`);
}
const unfinished = async () =>
  (await rig.query<{ node_id: string }>(`select node_id from runs where status = 'running'`)).map(
    ({ node_id }) => node_id,
  );

/** From the start of the next server on: how long until it carries all that the one before left. */
async function takenOver(): Promise<number> {
  const left = new Set(await unfinished());
  const begun = performance.now();
  await until('all runs are taken over', async () => !(await unfinished()).some((node_id) => left.has(node_id)));
  return performance.now() - begun;
}

const kills = (['node', 'everything'] as const).flatMap((what) => [
  { what, pace: 'fast' },
  { what, pace: 'paced' },
]);

for (const { what, pace } of kills)
  test(`a run goes on after a kill of ${what} at each of its stored events (${pace})`, {
    timeout: 900_000,
  }, async (t) => {
    const whole = await startCrashConversation(rig, `nothing happens (${what}, ${pace})`);
    await whole.done;
    const events = await whole.check();

    const places = [0, ...events.map(({ seq }) => seq)];
    const talks = await Promise.all(
      // Statements of one workspace may share a write, and a trap would hold up all of its runs.
      places.map(async (place) =>
        startCrashConversation(await inOwnWorkspace(rig), `trap ${place} (${what}, ${pace})`),
      ),
    );
    await until('all stand where they should', async () => {
      const [stand, go] = await Promise.all([rig.query(held), unfinished()]);
      return stand.length === go.length;
    });
    // Those who watch have seen all that there is, also words that no write stores any more.
    await sleep(300);
    await rig.kill(what);
    if (what === 'node') await release();
    await rig.start();
    const ms = await takenOver();
    await Promise.all(talks.map(({ done }) => done));
    const attempts = await Promise.all(talks.map(({ check }) => check()));
    assert.ok(ms < 15_000, `taken over within ${ms} ms`);
    const again = attempts.filter((log) => log.some((event) => event.type === 'attempt-start' && event.discard));
    const resets = talks.reduce((sum, talk) => sum + talk.resets(), 0);
    assert.ok(resets > 0, 'clients had seen words that were not stored');
    t.diagnostic(
      `${events.length} events, ${talks.length} runs, ${again.length} said something again, ${resets} resets, ` +
        `taken over within ${(ms / 1000).toFixed(1)} s of the restart`,
    );
  });

for (const what of ['node', 'everything'] as const)
  test(`a run that waits for people goes on after a kill of ${what} at each of its events`, {
    timeout: 900_000,
  }, async (t) => {
    const whole = await startApprovedCrashConversation(rig, `nothing happens to the approved (${what})`);
    await whole.done;
    const events = await whole.check();
    const places = Array.from({ length: events.length + 1 }, (_, place) => place);
    const talks = await Promise.all(
      places.map(async (place) =>
        startApprovedCrashConversation(await inOwnWorkspace(rig), `trap ${place} approved (${what})`),
      ),
    );
    await until('all stand where they should', async () => {
      const [begun, waiting] = await Promise.all([rig.query(set), rig.query(paused)]);
      const [stand, go] = await Promise.all([rig.query(held), unfinished()]);
      return begun.length === places.length && waiting.length === 0 && stand.length >= go.length;
    });
    await rig.kill(what);
    if (what === 'node') await release();
    await rig.start();
    await Promise.all(talks.map(({ done }) => done));
    for (const { check } of talks) await check();
    t.diagnostic(`${events.length} events, ${talks.length} runs`);
  });

test('a run goes on after kills at random moments under load', { timeout: 1_800_000 }, async (t) => {
  const talks: Awaited<ReturnType<typeof startCrashConversation>>[] = [];
  const starting: Promise<void>[] = [];
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // Some conversations start at once, some while earlier ones stream.
    for (let talk = 0; talk < 4; talk++)
      starting.push(
        sleep(Math.random() * 600)
          .then(() => startCrashConversation(rig, `round ${round}, ${talk % 2 ? 'paced' : 'fast'} talk ${talk}`))
          .then((talk) => void talks.push(talk)),
      );
    for (const one of starting) one.catch(() => {});
    await sleep(Math.random() * 1800);
    await rig.kill(round % 2 ? 'node' : 'everything');
    await rig.start();
    // Now and then all that was left is waited for; else the next kill meets runs that were cut off before.
    if (round % 10 === 9 || round === rounds - 1) times.push(await takenOver());
  }
  await Promise.all(starting);
  await Promise.all(talks.map(({ done }) => done));
  const logs = [];
  for (const { check } of talks) logs.push(await check());
  assert.equal(talks.length, rounds * 4);
  assert.ok(Math.max(...times) < 15_000, `taken over within ${times.join(', ')} ms`);
  const again = logs.filter((log) => log.some((event) => event.type === 'attempt-start' && event.attempt > 1));
  const seconds = times.map((ms) => (ms / 1000).toFixed(1)).join(', ');
  t.diagnostic(`${rounds} kills, ${talks.length} runs, ${again.length} asked again, taken over within ${seconds} s`);
});
