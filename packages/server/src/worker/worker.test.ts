import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { startDatabaseProxy } from '../../test/support/database-proxy.ts';
import { makeDatabase } from '../../test/support/test-database.ts';
import { openDatabase } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { defineJob, type Job, type JobContext } from '../lib/define-job.ts';
import { makeLog } from '../lib/log.ts';
import { enqueue, startWorker } from './worker.ts';

const logged: string[] = [];
const log = makeLog('debug', (line) => logged.push(line));
const { connection, drop } = await makeDatabase();
const db = openDatabase({ connection, max: 8, log });
after(async () => {
  await db.close();
  await drop();
});

const job = (name: string, handler: (context: JobContext, note: string) => Promise<void>, attempts = 1): Job =>
  defineJob({
    job: name,
    payload: z.strictObject({ note: z.string().max(10) }),
    attempts,
    handler: (context, { note }) => handler(context, note),
  });

async function until(what: string, true_: () => boolean | Promise<boolean>): Promise<void> {
  const started = Date.now();
  while (!(await true_())) {
    assert.ok(Date.now() - started < 60_000, `waited in vain: ${what}`);
    await sleep(10);
  }
}
const queued = (name: string) =>
  db.rows<{ attempts: number; max_attempts: number; locked_at: string | null }>(
    sql`select attempts, max_attempts, locked_at from graphile_worker.jobs where task_identifier = ${name}`,
  );

test('a job that takes longer than a minute is not begun a second time while its worker lives', async () => {
  let begun = 0;
  const gate = Promise.withResolvers<void>();
  const long = job('test.long', async () => {
    begun++;
    await gate.promise;
  });
  const worker = await startWorker(db, [long], log);
  await enqueue(db, long, { note: 'long' });
  await until('it has begun', () => begun === 1);
  await db.run(sql`
    update graphile_worker._private_jobs set locked_at = now() - interval '2 minutes' where locked_at is not null`);
  // A worker that starts looks at once for jobs of workers that are gone.
  const other = await startWorker(db, [long], log);
  const [held] = await queued('test.long');
  assert.ok(held?.locked_at, 'it is still held');
  gate.resolve();
  await until('it is over', async () => (await queued('test.long')).length === 0);
  assert.equal(begun, 1);
  await other.stop();
  await worker.stop();
});

test('a job that another worker has taken over is aborted and stays that worker’s', async () => {
  const aborted = Promise.withResolvers<unknown>();
  const begun = Promise.withResolvers<void>();
  const held = job('test.taken', async ({ signal, requireLease }) => {
    await requireLease?.();
    signal.addEventListener('abort', () => aborted.resolve(signal.reason));
    begun.resolve();
    // It ends as if nothing had happened, after its job was lost.
    await aborted.promise;
  });
  const worker = await startWorker(db, [held], log);
  await enqueue(db, held, { note: 'x' });
  await begun.promise;
  const take = sql`update graphile_worker._private_jobs set locked_by = 'other' where locked_by is not null`;
  await db.run(take);
  assert.match(String(await aborted.promise), /Another worker has the job/);
  await until('it is logged', () => logged.some((line) => line.includes('job.lost') && line.includes('test.taken')));
  await worker.stop();
  const [row] = await db.rows<{ locked_by: string; attempts: number }>(sql`
    select locked_by, attempts from graphile_worker.jobs where task_identifier = 'test.taken'`);
  assert.deepEqual(row, { locked_by: 'other', attempts: 1 });
  await db.run(
    sql`select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs where locked_by = 'other'`,
  );
});

test('jobs of a worker that was silent for twelve seconds are done by another', async () => {
  const ran: string[] = [];
  const left = job('test.left', async (_, note) => void ran.push(note), 2);
  await enqueue(db, left, { note: 'left' });
  await db.run(sql`
    update graphile_worker._private_jobs set locked_by = 'silent', locked_at = now() - interval '13 seconds', attempts = 1
    where task_id = (select id from graphile_worker._private_tasks where identifier = 'test.left')`);
  await db.run(sql`insert into job_workers (worker_id, seen_at) values ('silent', now() - interval '13 seconds')`);
  const worker = await startWorker(db, [left], log);
  await until('it is done', () => ran.length > 0);
  await worker.stop();
  assert.deepEqual(await db.rows(sql`select 1 from job_workers where worker_id = 'silent'`), []);
});

test('a job put into a transaction runs after the commit and never after a rollback', async () => {
  const ran: string[] = [];
  const note = job('test.note', async (_, text) => void ran.push(text));
  const worker = await startWorker(db, [note], log);
  after(() => worker.stop());
  const failed = db.transaction(undefined, async (tx) => {
    await enqueue(tx, note, { note: 'undone' });
    throw new Error('no');
  });
  await assert.rejects(failed);
  await db.transaction(undefined, async (tx) => {
    await enqueue(tx, note, { note: 'done' });
    await sleep(100);
    assert.deepEqual(ran, []);
  });
  await until('the job runs', () => ran.length > 0);
  await enqueue(db, note, { note: 'last' });
  await until('a later job runs', () => ran.includes('last'));
  assert.deepEqual(ran, ['done', 'last']);
});

test('jobs of one key are one job, and one with a time waits for it', async () => {
  const name = 'test.keyed';
  const keyed = job(name, async () => {});
  const run_at = new Date(Date.now() + 60_000);
  await enqueue(db, keyed, { note: 'a' }, { key: 'k', run_at });
  await enqueue(db, keyed, { note: 'b' }, { key: 'k', run_at });
  const rows = await db.rows(sql`select run_at from graphile_worker.jobs where task_identifier = ${name}`);
  assert.deepEqual(rows, [{ run_at: run_at.toISOString() }]);
});

test('a failing job is tried again until its attempts are used up', async () => {
  let tries = 0;
  const failing = job(
    'test.failing',
    async () => {
      tries++;
      throw new Error('on purpose');
    },
    2,
  );
  const nudge = job('test.nudge', async () => {});
  const worker = await startWorker(db, [failing, nudge], log);
  after(() => worker.stop());
  await enqueue(db, failing, { note: 'x' });
  for (const wanted of [1, 2, 2]) {
    await until(`try ${wanted}`, () => tries >= wanted);
    await until('its failure is written', async () => {
      const [row] = await queued('test.failing');
      return row?.attempts === wanted && row.locked_at === null;
    });
    // The pause between tries is skipped; a new job makes the worker look.
    await db.run(sql`update graphile_worker._private_jobs set run_at = now() where last_error is not null`);
    await enqueue(db, nudge, { note: '' });
  }
  await sleep(200);
  assert.equal(tries, 2);
  assert.deepEqual(await queued('test.failing'), [{ attempts: 2, max_attempts: 2, locked_at: null }]);
  const line = logged.find((text) => text.includes('A job failed') && text.includes('test.failing'));
  assert.match(line ?? '', /on purpose/);
});

test('a payload is checked when it is put in and again when it is taken out', async () => {
  let ran = false;
  const strict = job('test.strict', async () => {
    ran = true;
  });
  await assert.rejects(enqueue(db, strict, { note: 1 }));
  await assert.rejects(enqueue(db, strict, { note: 'x', more: 1 }));
  assert.deepEqual(await queued('test.strict'), []);
  await db.run(
    sql`select graphile_worker.add_job('test.strict', '{"note": "far too long a note"}', max_attempts => 1)`,
  );
  const worker = await startWorker(db, [strict], log);
  after(() => worker.stop());
  await until('it is refused', () =>
    logged.some((text) => text.includes('A job failed') && text.includes('test.strict')),
  );
  assert.equal(ran, false);
});

test('one that runs alone waits for the end of the one before', async () => {
  const steps: string[] = [];
  const lonely = {
    ...job('test.lonely', async (_, note) => {
      steps.push(`${note} began`);
      await sleep(100);
      steps.push(`${note} ended`);
    }),
    alone: true,
  };
  for (const note of ['a', 'b', 'c']) await enqueue(db, lonely, { note });
  const worker = await startWorker(db, [lonely], log);
  after(() => worker.stop());
  await until('all have ended', () => steps.length === 6);
  assert.deepEqual(
    steps,
    ['a', 'b', 'c'].flatMap((note) => [`${note} began`, `${note} ended`]),
  );
});

test('stopping tells the running job, gives it the time to end well and begins no other', async () => {
  const steps: string[] = [];
  const slow = job('test.slow', async ({ signal }, note) => {
    steps.push(`${note} began`);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    await enqueue(db, slow, { note: 'next' });
    await sleep(200);
    steps.push(`${note} ended`);
  });
  const worker = await startWorker(db, [slow], log);
  await enqueue(db, slow, { note: 'first' });
  await until('it begins', () => steps.length > 0);
  await worker.stop();
  assert.deepEqual(steps, ['first began', 'first ended']);
  // That a job is done is written without waiting; the queue may show it for a moment longer.
  await until('only the next is left', async () => (await queued('test.slow')).length === 1);
  assert.deepEqual(await queued('test.slow'), [{ attempts: 0, max_attempts: 1, locked_at: null }]);
});

test('a job cut short by a stop is given back with all its attempts, whether it obeyed or not', async () => {
  const began: string[] = [];
  const obeys = job('test.obeys', async ({ signal }, note) => {
    began.push(note);
    await sleep(60_000, undefined, { signal });
  });
  const ignores = job('test.ignores', async (_, note) => {
    began.push(note);
    await new Promise(() => {});
  });
  const own = openDatabase({ connection, max: 8, log });
  const worker = await startWorker(own, [obeys, ignores], log);
  await enqueue(db, obeys, { note: 'a' });
  await enqueue(db, ignores, { note: 'b' });
  await until('both begin', () => began.length === 2);
  await worker.stop(300);
  const back = [{ attempts: 0, max_attempts: 1, locked_at: null }];
  assert.deepEqual([await queued('test.obeys'), await queued('test.ignores')], [back, back]);
  await own.close();
});

test('a job may have a schedule; one that is none stops the start', async () => {
  const scheduled = (schedule: string): Job => ({ ...job('test.cron', async () => {}), schedule });
  const worker = await startWorker(db, [scheduled('17 * * * *')], log);
  const known = () => db.rows(sql`select identifier from graphile_worker._private_known_crontabs`);
  // The queue notes it while the worker is at work already.
  await until('its schedule is known', async () => (await known()).length > 0);
  await worker.stop();
  assert.deepEqual(await known(), [{ identifier: 'test.cron' }]);
  await assert.rejects(startWorker(db, [scheduled('61 * * * *')], log));
});

const isQueued = async (note: string) =>
  (
    await db.rows(sql`
      select 1 from graphile_worker._private_jobs where payload ->> 'note' = ${note}`)
  ).length > 0;

test('a job that ends while the database is away is ended when it is back, and the process lives', async () => {
  const proxy = await startDatabaseProxy(connection);
  const far = openDatabase({ connection: { ...connection, host: '127.0.0.1', port: proxy.port }, max: 8, log });
  after(async () => {
    await far.close();
    await proxy.close();
  });
  const begun: string[] = [];
  /** The database is away when the handler returns, and is back a moment later. */
  const away = async (note: string) => {
    begun.push(note);
    if (begun.filter((one) => one === note).length > 1) return;
    // Nothing listens there.
    proxy.redirect({ host: '127.0.0.1', port: 1 });
    setTimeout(() => proxy.redirect(connection), 500);
    if (note === 'fails') throw new Error('It failed');
  };
  const ends = job('test.ends-away', (_, note) => away(note), 3);
  const worker = await startWorker(far, [ends], log);
  for (const note of ['fails', 'works']) {
    await enqueue(db, ends, { note });
    await until(`${note} has begun`, () => begun.includes(note));
    if (note === 'fails')
      await until('it counts as failed', async () => (await queued('test.ends-away'))[0]?.locked_at === null);
    else await until('it is over', async () => !(await isQueued(note)));
  }
  assert.equal(begun.filter((one) => one === 'works').length, 1);
  await db.run(sql`delete from graphile_worker._private_jobs`);
  await worker.stop();
});

test('can be stopped with a job under way when the database is given up, and another worker does the job', async () => {
  const far = openDatabase({ connection, max: 8, log });
  const began: string[] = [];
  const untilStopped = async ({ signal }: JobContext, note: string) => {
    began.push(note);
    if (began.length === 1) await sleep(60_000, undefined, { signal });
  };
  // An attempt that could not be given back is used up.
  const long = job('test.given-up', untilStopped, 2);
  const worker = await startWorker(far, [long], log);
  await enqueue(db, long, { note: 'long' });
  await until('it has begun', () => began.length === 1);
  far.abandon();
  // It does not use the time that it is given.
  const stopped = worker.stop(600_000).then(() => 'stopped');
  assert.equal(await Promise.race([stopped, sleep(60_000, 'still there', { ref: false })]), 'stopped');
  assert.ok(logged.some((line) => line.includes('jobs.not-given-back')));
  // As if twelve seconds had gone by.
  await db.run(sql`update job_workers set seen_at = now() - interval '1 minute'`);
  await db.run(sql`
    update graphile_worker._private_jobs set locked_at = now() - interval '1 minute' where locked_at is not null`);
  const other = await startWorker(db, [long], log);
  await until('another does it', () => began.length === 2);
  await other.stop();
});
