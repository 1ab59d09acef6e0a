import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { bruteForceSlots } from '../../../../test/support/brute-force-slots.ts';
import { makeDatabase } from '../../../../test/support/test-database.ts';
import { until } from '../../../../test/support/two-nodes.ts';
import { openDatabase } from '../../../db/database.ts';
import { migrate } from '../../../db/migrate.ts';
import type { Notifier } from '../../../db/notifier.ts';
import { sql } from '../../../db/sql.ts';
import type { DueWork } from '../../../lib/due-work.ts';
import { makeLog } from '../../../lib/log.ts';
import { timetableOf } from '../../../lib/timetable/timetable.ts';
import { startDueWorkLoop } from '../../../worker/due-work-loop.ts';
import { makeDeliveries, makeFireTrigger, makeTargets } from '../deliver/deliveries.ts';
import type { TriggerTarget } from '../ports.ts';
import { insertTrigger } from '../store.ts';
import { countingTarget, simulatedClock } from '../testing.ts';
import { makeSchedules } from './fire-schedules.ts';

/** A year with a leap day. */
const [from, to] = [Date.UTC(2028, 0, 1), Date.UTC(2029, 0, 1)];
const hour = 3_600_000;

const expressions: [cron: string, timezone: string][] = [
  ['0 8 * * 1-5', 'Europe/Berlin'],
  ['30 2 * * *', 'Europe/Berlin'],
  ['30 2 * * *', 'America/New_York'],
  ['15 2 * * *', 'Australia/Lord_Howe'],
  ['0 2 1 * *', 'Australia/Lord_Howe'],
  ['0 0 1 * *', 'UTC'],
  ['0 12 29 2 *', 'Asia/Tokyo'],
  ['0 */6 * * 6', 'America/Los_Angeles'],
  ['45 23 28-31 * *', 'Asia/Kolkata'],
  ['0 9 1,15 * *', 'Pacific/Chatham'],
  ['5 4 * * 0', 'Europe/London'],
  ['0 0 * * 1', 'Africa/Cairo'],
  ['*/30 1-3 * 3,10 0', 'Europe/Berlin'],
  ['20 14 13 * 5', 'Europe/Paris'],
  ['0 1 * 11 *', 'America/New_York'],
  ['0 0,12 * * 3', 'America/Sao_Paulo'],
  ['59 23 31 12 *', 'Pacific/Auckland'],
  ['10 3 * * 2-6/2', 'America/Santiago'],
  ['0 6 * 1-6 *', 'UTC'],
  ['0 0 * * *', 'Pacific/Apia'],
];

const log = makeLog('silent');
const { connection, drop } = await makeDatabase();
const db = openDatabase({ connection, max: 4, log });
after(async () => {
  await db.close();
  await drop();
});
await migrate(db.pool);
const [tenant_id, workspace_id] = [randomUUID(), randomUUID()];
await db.run(sql`insert into tenants (id, name) values (${tenant_id}, 'year')`);
await db.run(sql`insert into workspaces (id, tenant_id, name) values (${workspace_id}, ${tenant_id}, 'year')`);
const principal = { tenant_id, home_workspace_id: workspace_id, permissions: [], tenant_admin: false };
const owner_id = randomUUID();
await db.run(sql`
  insert into service_accounts (id, tenant_id, workspace_id, name, permissions)
  values (${owner_id}, ${tenant_id}, ${workspace_id}, 'year', '{flows_run}')`);

async function schedule(
  target_id: string,
  cron: string,
  timezone: string,
  first: number,
  catch_up: 'skip' | 'once' | 'all',
) {
  const id = randomUUID();
  const next = timetableOf(cron, timezone).after(first - 1);
  await insertTrigger(db, workspace_id, {
    ...{ id, target_kind: 'workflow', target_id, version_id: null, type: 'schedule', name: `${cron} ${timezone}` },
    ...{ enabled: true, definition: { type: 'schedule', cron, timezone, catch_up }, secret: null },
    ...{ routing_key: id, routing_hash: null, event: null, subject_id: null, principal, owner_id },
    next_fire_at: next === undefined ? null : new Date(next).toISOString(),
  });
  return id;
}

/** The sessions of nodes that died. */
const orphans: number[] = [];
/**
 * Waits until the database has closed all of them: until then their locks may hold, and other nodes skip the locked
 * rows.
 */
const buried = () =>
  until('the sessions of the dead are over', async () => {
    const left = sql`select from pg_stat_activity where datname = current_database() and pid = any(${orphans}::int[])`;
    return (await db.run(left)) === 0;
  });

interface Session {
  processID: number | null;
  connection: { stream: { destroy(): void } };
}

/** A node that can die at any moment: its last statement may or may not have arrived. */
function makeNode(clock: ReturnType<typeof simulatedClock>['clock'], target: ReturnType<typeof countingTarget>) {
  const own = openDatabase({ connection, max: 4, log });
  let [doomed, dead] = [false, false];
  async function kill(): Promise<void> {
    if (dead) return;
    dead = true;
    const { _clients: clients } = own.pool as unknown as { _clients: Session[] };
    for (const { connection: wire, processID } of clients) {
      // A session without a number yet has sent nothing.
      if (processID !== null) orphans.push(processID);
      wire.stream.destroy();
    }
    await own.close().catch(() => {});
  }
  const mortal: TriggerTarget = {
    ...target.target,
    async start(scope, start) {
      const run_id = await target.target.start(scope, start);
      if (doomed) await kill();
      return run_id;
    },
  };
  const [targets, notifier] = [makeTargets([mortal]), { notify: async () => {} }];
  const fire = makeFireTrigger({ clock, notifier });
  const works = [
    makeSchedules({ db: own, clock, log, fire, targets }),
    makeDeliveries({ db: own, clock, log, targets }),
  ];
  const { signal } = new AbortController();
  return {
    /** Does the due work and returns the time of the next. */
    async turn(): Promise<number> {
      let next = Number.POSITIVE_INFINITY;
      for (const { work } of works) next = Math.min(next, (await work(signal, () => {})) ?? next);
      return next;
    },
    kill,
    /** The node dies right after its next start, before it is recorded. */
    doom(): void {
      doomed = true;
    },
    close: () => own.close(),
  };
}

/** The slots of a trigger that have started a run, in order. */
const firedSlots = (target: ReturnType<typeof countingTarget>, target_id: string) =>
  [...target.runs.values()]
    .flatMap((run) =>
      run.target_id === target_id ? [(run.input['trigger'] as { scheduled_for: string }).scheduled_for] : [],
    )
    .sort();
const iso = (times: number[]) => times.map((time) => new Date(time).toISOString());

test('a year of twenty schedules on two nodes that are killed again and again: every slot exactly once', async (t) => {
  const target = countingTarget();
  const time = simulatedClock(from);
  const wanted = new Map<string, string[]>();
  for (const [cron, timezone] of expressions) {
    const target_id = target.make(workspace_id);
    await schedule(target_id, cron, timezone, from, 'all');
    wanted.set(target_id, iso(bruteForceSlots(cron, timezone, from, to)));
  }
  let nodes = [makeNode(time.clock, target), makeNode(time.clock, target)];
  let [kills, steps] = [0, 0];
  for (let next = from; time.clock.now() < to; steps++) {
    const doomed = steps % 50 === 0 ? Math.floor(Math.random() * nodes.length) : -1;
    // One node dies at a random moment, the next right after a start; the latter runs first, at a time when something
    // is due.
    const soon = kills % 2 === 1;
    const due = Math.max(next, time.clock.now() + 1);
    time.set(Math.min(to, due));
    if (!soon) nodes[doomed]?.doom();
    const ahead = soon ? undefined : nodes[doomed]?.turn();
    await ahead?.catch(() => {});
    const turns = Promise.allSettled(nodes.map((node, index) => (index === doomed && ahead) || node.turn()));
    if (doomed >= 0) kills++;
    if (doomed >= 0 && soon) {
      await sleep(Math.random() * 12);
      await nodes[doomed]?.kill();
    }
    const results = await turns;
    await nodes[doomed]?.kill();
    for (const [index, result] of results.entries())
      if (result.status === 'rejected')
        assert.equal(index, doomed, `a node that was not killed failed: ${result.reason}`);
    if (doomed >= 0) nodes = nodes.map((node, index) => (index === doomed ? makeNode(time.clock, target) : node));
    next = Math.min(...(await Promise.all(nodes.map((node) => node.turn()))));
  }
  // Leases of a killed node end after a minute.
  await buried();
  time.set(to + 2 * 60_000);
  await Promise.all(nodes.map((node) => node.turn()));
  await Promise.all(nodes.map((node) => node.close()));
  await db.run(sql`update triggers set enabled = false`);

  let slots = 0;
  for (const [target_id, expected] of wanted) {
    const fired = firedSlots(target, target_id).filter((slot) => Date.parse(slot) < to);
    assert.deepEqual(fired, expected);
    slots += fired.length;
  }
  t.diagnostic(`${slots} slots, ${steps} steps, ${kills} kills, ${target.calls()} starts`);
  assert.ok(kills > 5 && slots > 900, `${kills} kills, ${slots} slots`);
  assert.ok(target.calls() > slots, 'no start was tried again, so nothing was shown of what that does');
});

test('fires nothing twice when the clock is set back, and catches up by the definition when it jumps ahead', async () => {
  const target = countingTarget();
  const time = simulatedClock(Date.UTC(2026, 5, 1, 7, 30));
  const node = makeNode(time.clock, target);
  const at = (hours: number) => Date.UTC(2026, 5, 1, hours);
  const made = async (catch_up: 'skip' | 'once' | 'all') => {
    const target_id = target.make(workspace_id);
    await schedule(target_id, '0 * * * *', 'UTC', time.clock.now(), catch_up);
    return () => firedSlots(target, target_id);
  };
  const [skip, once, all] = [await made('skip'), await made('once'), await made('all')];
  for (const now of [at(8), at(7), at(8) + 1000, at(6), at(8) + 2000]) {
    time.set(now);
    await node.turn();
  }
  for (const fired of [skip, once, all]) assert.deepEqual(fired(), iso([at(8)]));
  // Switched off and on again while the clock is behind, so that their next slot is one that has fired before.
  await db.run(sql`update triggers set next_fire_at = ${iso([at(8)])[0]} where enabled`);
  await node.turn();
  for (const fired of [skip, once, all]) assert.deepEqual(fired(), iso([at(8)]));
  time.set(at(12) + 30 * 60_000);
  await node.turn();
  assert.deepEqual(skip(), iso([at(8)]));
  assert.deepEqual(once(), iso([at(8), at(12)]));
  assert.deepEqual(all(), iso([8, 9, 10, 11, 12].map(at)));
  time.set(at(13));
  await node.turn();
  for (const fired of [skip, once, all]) assert.equal(fired().at(-1), iso([at(13)])[0]);
  await node.close();
  await db.run(sql`update triggers set enabled = false`);
});

test('skips the slots of a schedule while its workflow is deleted', async () => {
  const target = countingTarget();
  const time = simulatedClock(Date.UTC(2026, 5, 1, 7, 30));
  const node = makeNode(time.clock, target);
  const target_id = target.make(workspace_id);
  await schedule(target_id, '0 * * * *', 'UTC', time.clock.now(), 'all');
  target.deleted.add(target_id);
  time.set(Date.UTC(2026, 5, 1, 9, 0));
  await node.turn();
  target.deleted.delete(target_id);
  time.set(Date.UTC(2026, 5, 1, 10, 0));
  await node.turn();
  assert.deepEqual(firedSlots(target, target_id), ['2026-06-01T10:00:00.000Z']);
  await node.close();
});

test('runs a year of hourly work, and wakes on a notification in between', async () => {
  const [begin, end] = [Date.UTC(2028, 0, 1), Date.UTC(2029, 0, 1)];
  const time = simulatedClock(begin);
  const listeners = new Set<() => void>();
  const notifier = {
    on(_: string, listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  } as unknown as Notifier;
  const done: number[] = [];
  let broken = true;
  const work: DueWork = {
    topic: 'test',
    async work() {
      if (done.length === 100 && broken) {
        broken = false;
        throw new Error('on purpose');
      }
      done.push(time.clock.now());
      return (Math.floor(time.clock.now() / hour) + 1) * hour;
    },
  };
  const started = Date.now();
  const pump = startDueWorkLoop(work, { clock: time.clock, notifier, log });
  const asleep = async () => {
    while (time.sleeping() === 0) await new Promise(setImmediate);
  };
  for (await asleep(); time.clock.now() < end; await asleep()) time.set(time.next());
  assert.ok(new Set(done).size >= 366 * 24, 'each hour was worked in');
  assert.ok(Date.now() - started < 60_000);
  const before = done.length;
  for (const notify of listeners) notify();
  while (done.length === before) await new Promise(setImmediate);
  await pump.stop();
  assert.equal(listeners.size, 0);
});
