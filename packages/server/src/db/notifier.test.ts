import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeDatabase } from '../../test/support/test-database.ts';
import { makeLog } from '../lib/log.ts';
import { openDatabase } from './database.ts';
import { type Notifier, openNotifier } from './notifier.ts';
import { sql } from './sql.ts';

const log = makeLog('silent');
const { connection, drop } = await makeDatabase('empty');
const db = openDatabase({ connection, max: 4, log });
const [here, there] = [await openNotifier(connection, log), await openNotifier(connection, log)];
after(async () => {
  await Promise.all([here.close(), there.close()]);
  await db.close();
  await drop();
});

async function until(what: string, true_: () => boolean | Promise<boolean>): Promise<void> {
  const started = Date.now();
  while (!(await true_())) {
    assert.ok(Date.now() - started < 60_000, `waited in vain: ${what}`);
    await sleep(5);
  }
}

function notesOf(notifier: Notifier, topic: string) {
  const notes: string[] = [];
  return { notes, stop: notifier.on(topic, (note) => notes.push(note)) };
}

const killListeners = () =>
  db.rows(sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and application_name like '% bell'`);
const listeners = async () =>
  (
    await db.rows(sql`select 1 from pg_stat_activity
    where datname = current_database() and application_name like '% bell'`)
  ).length;

test('delivers a notification to the listeners of its topic on every node', async () => {
  const [a, b, other] = [notesOf(here, 'keys'), notesOf(there, 'keys'), notesOf(there, 'files')];
  const odd = 'a "note" with ünïcode, \\ and \n';
  await here.notify(db, 'keys', odd, 'second');
  await here.notify(db, 'keys');
  await until('both nodes hear', () => a.notes.length === 3 && b.notes.length === 3);
  assert.deepEqual([a.notes, b.notes, other.notes], [[odd, 'second', ''], [odd, 'second', ''], []]);
  a.stop();
  await here.notify(db, 'keys', 'fourth');
  await until('the one who still listens hears', () => b.notes.length === 4);
  assert.equal(a.notes.length, 3);
});

test('delivers a notification of a transaction when it commits, and never when it rolls back', async () => {
  const { notes } = notesOf(there, 'tx');
  const failed = db.transaction(undefined, async (tx) => {
    await here.notify(tx, 'tx', 'rolled back');
    throw new Error('no');
  });
  await assert.rejects(failed);
  await db.transaction(undefined, async (tx) => {
    await here.notify(tx, 'tx', 'committed');
    await sleep(50);
    assert.deepEqual(notes, []);
  });
  await until('the commit is heard', () => notes.length > 0);
  assert.deepEqual(notes, ['committed']);
});

test('one node can tell itself at once', () => {
  const [own, others] = [notesOf(here, 'self'), notesOf(there, 'self')];
  here.notifyLocal('self', 'now');
  assert.deepEqual([own.notes, others.notes], [['now'], []]);
});

test('reports a lost connection and connects again', async () => {
  const { notes } = notesOf(there, 'again');
  const told: boolean[] = [];
  there.onMissed(() => told.push(there.isListening));
  assert.equal(there.isListening, true);
  await killListeners();
  await until('it hears again', () => told.length > 1);
  // When the connection is lost, so that nothing stale is kept, and when it is back, for notifications in between.
  assert.deepEqual(told, [false, true]);
  await here.notify(db, 'again', 'back');
  await until('a notification arrives again', () => notes.length > 0);
  assert.deepEqual(notes, ['back']);
});

test('leaves nothing open when it is closed while its connection is lost or being made', async () => {
  await until('both listen', async () => (await listeners()) === 2);
  let asked = 0;
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const password = async () => {
    if (++asked > 1) await held;
    return connection.password;
  };
  const waiting = await openNotifier(connection, log);
  const connecting = await openNotifier({ ...connection, password }, log);
  // Closed right after its loss: a moment later it might be back.
  const closed = new Promise<void>((resolve) => waiting.onMissed(resolve)).then(() => waiting.close());
  await killListeners();
  await closed;
  await until('a new connection is being made', () => asked > 1);
  await connecting.close();
  answer();
  await until('the others are back', () => here.isListening && there.isListening);
  await sleep(800);
  await until('nothing else listens', async () => (await listeners()) === 2);
  assert.deepEqual([waiting.isListening, connecting.isListening], [false, false]);
});
