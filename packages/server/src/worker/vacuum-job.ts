import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Database, Db } from '../db/database.ts';
import { readTableSizes, rewriteTable, vacuumTable } from '../db/state/vacuum-tables.ts';
import { defineJob, type Job, type JobContext } from '../lib/define-job.ts';
import { errorFields } from '../lib/log.ts';
import { enqueue } from './worker.ts';

/** Tables with words of documents, which are stored in plain text: a vacuum alone leaves the bytes of deleted rows. */
const rewrittenTables = [
  'kb_chunks',
  'kb_documents',
  'kb_passage_changes',
  'kb_runs',
  'kb_site_pages',
  'kb_text_segments',
];
const vacuumedTables = [
  ...['conversations', 'messages', 'run_events', 'memories', 'files'],
  ...['evaluations', 'evaluation_runs', 'evaluation_results', 'evaluation_sourced_cases', 'evaluation_marks'],
];
/** A table of this size is written anew within a second or two, in which statements on it wait. */
const mostBytes = 64 * 1024 ** 2;
const [mostTries, pauseMs] = [5, 300];
/** A full interval, so that further deletions do not put the job off. */
const everyMs = 5 * 60_000;

/** Takes what was deleted out of the files of PostgreSQL. */
async function vacuum(db: Database, { log, signal }: JobContext, isAsked: boolean): Promise<void> {
  async function rewrite(name: string, file: string): Promise<void> {
    for (let tries = 0; tries < mostTries; tries++) {
      await rewriteTable(db, name);
      const [now] = await readTableSizes(db, [name]);
      if (now?.file !== file) return;
      await sleep(pauseMs, undefined, { signal });
    }
    log.info('vacuum.table-busy', { table: name });
    await vacuumTable(db, name);
  }

  for (const { name, bytes, dead, file } of await readTableSizes(db, [...rewrittenTables, ...vacuumedTables])) {
    signal.throwIfAborted();
    if (!isAsked && dead === 0) continue;
    try {
      if (rewrittenTables.includes(name) && bytes <= mostBytes) await rewrite(name, file);
      else await vacuumTable(db, name);
    } catch (error) {
      signal.throwIfAborted();
      // It took too long, or the account does not own the table: autovacuum goes on.
      log.warn('vacuum.failed', { table: name, ...errorFields(error) });
    }
  }
}

/** Runs some minutes after a deletion, once for all deletions until then, and each night for what has expired. */
export const makeVacuumJob = ({ db }: { db: Database }): Job =>
  defineJob({
    job: 'storage.vacuum',
    payload: z.object({ asked: z.boolean().default(false) }),
    attempts: 3,
    alone: true,
    schedule: '41 3 * * *',
    handler: (context, { asked }) => vacuum(db, context, asked),
  });

export type VacuumLater = (db: Db) => Promise<void>;

/** Schedules the vacuum after a deletion. */
export const makeVacuumLater =
  (job: Job): VacuumLater =>
  (db) =>
    enqueue(db, job, { asked: true }, { key: 'vacuum', run_at: new Date(Math.ceil(Date.now() / everyMs) * everyMs) });
