import type { Db } from '../../db/database.ts';
import type { Job } from '../../lib/define-job.ts';
import { groupTrainings } from './ingest/group-trainings.ts';
import type { KbJobs } from './jobs.ts';
import type { KbQueue } from './ports.ts';

/** The job queue of the worker. */
export interface JobQueue {
  enqueue(
    db: Db,
    job: Job,
    payload: unknown,
    options?: { key?: string; run_at?: Date; queue?: string; urgent?: boolean },
  ): Promise<void>;
  enqueueMany(db: Db, job: Job, jobs: readonly { payload: unknown; queue: string }[]): Promise<void>;
}

const timeIn = (in_ms: number) => new Date(Date.now() + in_ms);

/** Decides which jobs of a knowledge base run in parallel, wait for each other, or replace each other. */
export function makeKbQueue({ enqueue, enqueueMany }: JobQueue, jobs: () => KbJobs): KbQueue {
  let nextLane = 0;
  return {
    train: (tx, place, runs, at_once) =>
      enqueueMany(
        tx,
        jobs().train,
        groupTrainings(runs, at_once).map((group) => ({
          payload: { ...place, runs: group.map(({ id: run_id, document_id }) => ({ document_id, run_id })) },
          // Jobs of one queue run one after another, so there are as many queues as trainings may run at once.
          queue: `kb:${place.kb_id}:${nextLane++ % at_once}`,
        })),
      ),
    crawl: (tx, { workspace_id, kb_id, site_id }, run_id, in_ms) =>
      enqueue(
        tx,
        jobs().crawl,
        { workspace_id, kb_id, site_id, run_id },
        { key: `kb-crawl:${site_id}`, queue: `kb-crawl:${site_id}`, run_at: timeIn(in_ms) },
      ),
    sync: (tx, place) =>
      enqueue(tx, jobs().sync, place, {
        key: `kb-sync:${place.kb_id}`,
        queue: `kb:${place.kb_id}:index`,
        urgent: true,
      }),
    rebuild: (tx, place, run_id) =>
      enqueue(tx, jobs().rebuild, { ...place, run_id }, { queue: `kb:${place.kb_id}:index`, urgent: true }),
    settle: (tx, place, in_ms) =>
      enqueue(tx, jobs().settle, place, { key: `kb-settle:${place.kb_id}`, run_at: timeIn(in_ms), urgent: true }),
    dropTables: (tx, place, document_ids) => enqueue(tx, jobs().dropTables, { ...place, document_ids }),
    cleanUp: (tx, place, file_ids) => enqueue(tx, jobs().cleanUp, { ...place, file_ids }),
  };
}
