import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, makeWorkerUtils, parseCronItems, run, type TaskList, type WorkerEvents } from 'graphile-worker';
import type { Database, Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Job } from '../lib/define-job.ts';
import { fieldsOf } from '../lib/json/fields-of.ts';
import { errorFields, type Log } from '../lib/log.ts';
import { makeQueuePool } from './queue-pool.ts';
import { type JobHold, JobLost, recordWorkerHeartbeats, unlockAllJobs } from './worker-heartbeats.ts';

const schema = 'graphile_worker';

/**
 * Enqueues a job in the caller's transaction: the job exists exactly when its row does. Jobs of one queue run one
 * after another; an urgent one runs before those that wait.
 */
export async function enqueue(
  db: Db,
  job: Job,
  payload: unknown,
  options: { key?: string; run_at?: Date; queue?: string; urgent?: boolean } = {},
) {
  await db.run(sql`
    select graphile_worker.add_job(${job.job}::text, ${JSON.stringify(job.payload.parse(payload))}::json,
      run_at => ${options.run_at ?? null}::timestamptz, max_attempts => ${job.attempts}::int,
      job_key => ${options.key ?? null}::text,
      queue_name => ${options.queue ?? (job.alone ? job.job : null)}::text,
      priority => ${options.urgent ? -10 : 0}::int)`);
}

/** Many at once, in one statement. */
export async function enqueueMany(
  db: Db,
  job: Job,
  jobs: readonly { payload: unknown; queue: string }[],
): Promise<void> {
  if (jobs.length === 0) return;
  await db.run(sql`
    select graphile_worker.add_job(${job.job}::text, payload::json, max_attempts => ${job.attempts}::int,
      queue_name => queue)
    from unnest(${jobs.map(({ payload }) => JSON.stringify(job.payload.parse(payload)))}::text[],
      ${jobs.map(({ queue }) => queue)}::text[]) as own (payload, queue)`);
}

const quiet = (log: Log) =>
  new Logger(() => (level, message) => {
    if (level === 'error') log.error(message);
    else if (level === 'warning') log.warn(message);
    else log.debug(message);
  });

/** Creates the tables of the queue. Processes that only enqueue jobs need them too. */
export async function prepareQueue(db: Database, log: Log): Promise<void> {
  const utils = await makeWorkerUtils({ pgPool: db.pool, schema, logger: quiet(log) });
  try {
    await utils.migrate();
  } finally {
    await utils.release();
  }
}

export interface Worker {
  /** Tells running jobs to end and gives them this many milliseconds for it. */
  stop(grace?: number): Promise<void>;
}

/** Runs jobs in this process until stopped; a job that is under way then is given back to the queue. */
export async function startWorker(
  db: Database,
  jobs: readonly Job[],
  log: Log,
  { alone = false, at_once = 4 }: { alone?: boolean | undefined; at_once?: number } = {},
): Promise<Worker> {
  if (alone) await unlockAllJobs(db);
  const stopping = new AbortController();
  const underWay = new Map<string, JobHold & { attempts: number }>();
  const taskList: TaskList = {};
  for (const job of jobs)
    taskList[job.job] = async (raw, { job: { id: number, attempts, locked_by } }) => {
      // Typed as text by the queue; our connections read numbers of eight bytes as numbers.
      const id = String(number);
      const { _cron, ...payload } = fieldsOf(raw);
      const hold = { id, locked_by, attempts: attempts - 1, lost: new AbortController() };
      underWay.set(id, hold);
      const signal = AbortSignal.any([stopping.signal, hold.lost.signal]);
      const requireLease = () => known.requireHold(hold);
      try {
        // The queue may hand out one more job while it is being stopped.
        stopping.signal.throwIfAborted();
        await job.handler({ log: log.with({ job: job.job }), signal, requireLease }, job.payload.parse(payload));
        // The queue deletes a finished job even if another worker holds it by now, so a lost job must not finish here.
        await requireLease();
        underWay.delete(id);
      } catch (error) {
        if (stopping.signal.aborted && !hold.lost.signal.aborted) throw error;
        underWay.delete(id);
        if (hold.lost.signal.aborted) {
          log.warn('job.lost', { job: job.job, job_id: id });
          throw new JobLost();
        }
        log.error('A job failed', { job: job.job, ...errorFields(error) });
        throw error;
      }
    };
  const workers = new Set<string>();
  const events: WorkerEvents = new EventEmitter();
  events.on('worker:create', ({ worker }) => workers.add(worker.workerId));
  // Jobs are held in the name of the pool that its workers share.
  events.on('pool:create', ({ workerPool }) => workers.add(workerPool.id));
  const parsedCronItems = parseCronItems(
    jobs.flatMap((job) =>
      job.schedule
        ? [
            {
              task: job.job,
              match: job.schedule,
              options: { maxAttempts: 1, ...(job.alone && { queueName: job.job }) },
            },
          ]
        : [],
    ),
  );
  const known = recordWorkerHeartbeats(db, workers, underWay, log);
  const started = run({
    events,
    pgPool: makeQueuePool(db.pool),
    schema,
    taskList,
    parsedCronItems,
    concurrency: at_once,
    pollInterval: 2000,
    noHandleSignals: true,
    logger: quiet(log),
  });
  const runner = await started.catch((error) => {
    known.stop();
    throw error;
  });
  await known.beat();

  /** Gives the jobs that are under way back to the queue. */
  async function giveBack(): Promise<void> {
    if (underWay.size === 0) return;
    const workers = [...underWay.values()].map(({ locked_by }) => locked_by);
    await db.run(sql`select graphile_worker.force_unlock_workers(${workers}::text[])`);
    // Being stopped is no failure of the job's own, so it does not use up an attempt.
    for (const [id, { attempts }] of underWay)
      await db.run(sql`
        select graphile_worker.reschedule_jobs(array[${id}]::bigint[], run_at => now(), attempts => ${attempts}::int)`);
  }

  return {
    async stop(grace = 20_000) {
      stopping.abort();
      await Promise.race([runner.stop(), sleep(grace, undefined, { ref: false })]);
      // Until here the jobs under way are still this worker's.
      known.stop();
      // Where that fails, another worker takes the jobs when this one has been silent for a while.
      await giveBack().catch((error) => log.warn('jobs.not-given-back', errorFields(error)));
    },
  };
}
