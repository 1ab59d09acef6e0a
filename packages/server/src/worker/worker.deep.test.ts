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

const log = makeLog('silent');
const { connection, drop } = await makeDatabase();
const db = openDatabase({ connection, max: 8, log });
after(async () => {
  await db.close();
  await drop();
});

const job = (name: string, handler: (context: JobContext, note: string) => Promise<void>): Job =>
  defineJob({
    job: name,
    payload: z.strictObject({ note: z.string().max(10) }),
    attempts: 1,
    handler: (context, { note }) => handler(context, note),
  });

async function until(what: string, true_: () => boolean | Promise<boolean>): Promise<void> {
  const started = Date.now();
  while (!(await true_())) {
    assert.ok(Date.now() - started < 60_000, `waited in vain: ${what}`);
    await sleep(10);
  }
}

test('a job that goes on over several heartbeats keeps its hold', async () => {
  const ended = Promise.withResolvers<string>();
  const slow = job('test.slow', async ({ signal, requireLease }) => {
    // Two heartbeats and more.
    await sleep(8000, undefined, { signal }).catch(() => {});
    await requireLease?.().catch(() => {});
    ended.resolve(signal.aborted ? String(signal.reason) : 'held');
  });
  const worker = await startWorker(db, [slow], log);
  await enqueue(db, slow, { note: 'slow' });
  assert.equal(await ended.promise, 'held');
  const left = sql`select 1 from graphile_worker.jobs where task_identifier = 'test.slow'`;
  await until('it is over', async () => (await db.rows(left)).length === 0);
  await worker.stop();
});

test('goes on soon after a long outage, and can be stopped in one', async () => {
  const proxy = await startDatabaseProxy(connection);
  after(() => proxy.close());
  const far = openDatabase({ connection: { ...connection, host: '127.0.0.1', port: proxy.port }, max: 8, log });
  const ran: string[] = [];
  const note = job('test.outage', async (_, text) => void ran.push(text));
  const worker = await startWorker(far, [note], log);
  await enqueue(db, note, { note: 'before' });
  await until('it runs', () => ran.includes('before'));
  // Nothing listens there. The queue's own pauses grow to more than ten seconds in this time.
  proxy.redirect({ host: '127.0.0.1', port: 1 });
  await sleep(15_000);
  await enqueue(db, note, { note: 'after' });
  proxy.redirect(connection);
  const back = Date.now();
  await until('it runs again', () => ran.includes('after'));
  assert.ok(Date.now() - back < 10_000, `it took ${Date.now() - back} ms`);

  proxy.redirect({ host: '127.0.0.1', port: 1 });
  await sleep(5000);
  far.abandon();
  // It does not use the time that it is given.
  const stopped = worker.stop(600_000).then(() => 'stopped');
  assert.equal(await Promise.race([stopped, sleep(60_000, 'still there', { ref: false })]), 'stopped');
});
