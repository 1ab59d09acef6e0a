import type { z } from 'zod';
import type { Log } from './log.ts';

/** The context of a job: it acts for the platform, not for a caller. */
export interface JobContext {
  log: Log;
  /** Aborted when the program is asked to stop, and when another worker has taken the job over. */
  signal: AbortSignal;
  /** Throws when another worker may have the job. Called right before each effect outside of the database. */
  requireLease?(): Promise<void>;
}

/** Work that outlives a request: stored with the caller's transaction, retried until `attempts` are used up. */
export interface Job {
  job: string;
  payload: z.ZodType;
  attempts: number;
  /** Five cron fields, UTC, when the job also runs on a schedule (with an empty payload). */
  schedule?: string;
  /** One at a time, on all nodes together: the next waits for the end of the one before. */
  alone?: boolean;
  handler(context: JobContext, payload: unknown): Promise<void>;
}

export function defineJob<P extends z.ZodType>(
  job: Omit<Job, 'payload' | 'handler'> & {
    payload: P;
    handler(context: JobContext, payload: z.output<P>): Promise<void>;
  },
): Job {
  return job as unknown as Job;
}
