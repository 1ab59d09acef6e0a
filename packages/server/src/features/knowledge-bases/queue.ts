import type { Db } from '../../db/database.ts';
import type { Job } from '../../lib/define-job.ts';
import { LruCache } from '../../lib/lru-cache.ts';
import type { KbJobs } from './jobs.ts';
import type { KbQueue, KbRef, QueuedTraining } from './ports.ts';

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

/** A full interval, so that further calls do not put the job off. */
const purgeEveryMs = 5 * 60_000;

const timeIn = (in_ms: number) => new Date(Date.now() + in_ms);

/** How large a small document is, and how much of them one job trains. */
const [smallBytes, mostBytes, mostDocuments] = [64 * 1024, 512 * 1024, 25];

/**
 * Groups trainings into jobs. Small documents share a job, because a job costs more than reading a small text, but there
 * are always enough jobs to train `at_once` in parallel. Large documents and web addresses have a job of their own.
 */
function groupTrainings(runs: readonly QueuedTraining[], at_once: number): QueuedTraining[][] {
  const most = Math.min(mostDocuments, Math.ceil(runs.length / at_once));
  const groups: QueuedTraining[][] = [];
  let open: QueuedTraining[] = [];
  let bytes = 0;
  for (const run of runs) {
    if (run.bytes === null || run.bytes > smallBytes) {
      groups.push([run]);
      continue;
    }
    if (open.length === 0 || open.length >= most || bytes + run.bytes > mostBytes) {
      [open, bytes] = [[], 0];
      groups.push(open);
    }
    open.push(run);
    bytes += run.bytes;
  }
  return groups;
}

/** How soon the index follows new passages: at once after a pause, in batches while many documents are trained. */
const [syncSoonMs, syncBusyMs, mostRemembered] = [20, 400, 1000];

/** Joins the calls for one knowledge base within a short time into one. While many calls come, the time is longer. */
function makeSyncSoon(sync: (place: KbRef) => Promise<void>) {
  const waiting = new Map<string, NodeJS.Timeout>();
  const lastCalls = new LruCache<string, number>({ max: mostRemembered });
  return {
    syncSoon(place: KbRef): void {
      const { kb_id } = place;
      if (waiting.has(kb_id)) return;
      const since = Date.now() - (lastCalls.get(kb_id) ?? 0);
      const timer = setTimeout(
        () => {
          waiting.delete(kb_id);
          lastCalls.set(kb_id, Date.now());
          // A lost call only delays the sync: the job that settles trainings queues it too.
          sync(place).catch(() => {});
        },
        since < 2 * syncBusyMs ? syncBusyMs : syncSoonMs,
      );
      waiting.set(kb_id, timer);
    },
    close(): void {
      for (const timer of waiting.values()) clearTimeout(timer);
      waiting.clear();
    },
  };
}

/** Decides which jobs of a knowledge base run in parallel, wait for each other, or replace each other. */
export function makeKbQueue(
  { db, enqueue, enqueueMany }: JobQueue & { db: Db },
  jobs: () => KbJobs,
): KbQueue & { close(): void } {
  let nextLane = 0;
  const sync: KbQueue['sync'] = (tx, place) =>
    enqueue(tx, jobs().sync, place, {
      key: `kb-sync:${place.kb_id}`,
      queue: `kb:${place.kb_id}:index`,
      urgent: true,
    });
  return {
    ...makeSyncSoon((place) => sync(db, place)),
    sync,
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
    rebuild: (tx, place, run_id) =>
      enqueue(tx, jobs().rebuild, { ...place, run_id }, { queue: `kb:${place.kb_id}:index`, urgent: true }),
    purge: (tx, place) =>
      enqueue(tx, jobs().purge, place, {
        ...{ key: `kb-purge:${place.kb_id}`, queue: `kb:${place.kb_id}:index` },
        run_at: new Date(Math.ceil(Date.now() / purgeEveryMs) * purgeEveryMs),
      }),
    settle: (tx, place, in_ms) =>
      enqueue(tx, jobs().settle, place, { key: `kb-settle:${place.kb_id}`, run_at: timeIn(in_ms), urgent: true }),
    dropTables: (tx, place, document_ids) => enqueue(tx, jobs().dropTables, { ...place, document_ids }),
    cleanUp: (tx, place, file_ids) => enqueue(tx, jobs().cleanUp, { ...place, file_ids }),
  };
}
