import * as z from 'zod';

const count = z.int();
const bytes = z.number().int();

export const systemAdvice = [
  'no_language_model',
  'no_worker',
  'jobs_failed',
  'disk_low',
  'sandbox_unavailable',
  'sandbox_emulated',
  'tagger_words',
  'files_not_encrypted',
  'no_mail',
  'public_url_insecure',
] as const;

export const systemState = z
  .strictObject({
    version: z.string().describe('The version of the server.'),
    node: z.string().describe('The version of Node that it runs on.'),
    platform: z.string().describe('The operating system and processor.'),
    roles: z.array(z.enum(['http', 'worker'])).describe('What this process does.'),
    started_at: z.iso.datetime().describe('When this process was started (ISO 8601, UTC).'),
    memory_bytes: bytes.describe(
      'The resident memory of this server process and of the other server processes that were started with it on this machine (`ATRIUM_PROCESSES`), added up. PostgreSQL and sandboxes are not in it. Of this process alone when the others do not answer.',
    ),
    workers: z
      .strictObject({
        alive: count.describe('Workers of all processes that gave a sign of life in the last minute.'),
        last_seen_at: z.iso.datetime().nullable().describe('The last sign of life of any worker. Null: never.'),
      })
      .describe('The workers that take jobs from the queue.'),
    queue: z
      .strictObject({
        waiting: count.describe('Jobs that are due and not taken yet.'),
        running: count.describe('Jobs that a worker holds.'),
        scheduled: count.describe('Jobs for a later time, also those that are tried again later.'),
        failed: count.describe('Jobs that failed as often as they may be tried.'),
        oldest_waiting_seconds: z.number().describe('How long the oldest due job has waited; 0 when none waits.'),
        jobs: z
          .array(
            z.strictObject({
              job: z.string().describe('The kind of job.'),
              waiting: count.describe('How many of it are due.'),
              failed: count.describe('How many of it failed for good.'),
            }),
          )
          .describe('The kinds of jobs that wait or have failed, most first.'),
      })
      .describe('The queue of jobs.'),
    disk: z
      .strictObject({
        free_bytes: bytes.describe('What is free where the data is kept.'),
        total_bytes: bytes.describe('The size of that disk.'),
      })
      .describe('The disk of this process.'),
    database: z
      .strictObject({
        version: z.string().describe('The version of PostgreSQL.'),
        embedded: z.boolean().describe('Whether the server runs it itself.'),
        size_bytes: bytes.describe('The size of the database.'),
        connections: count.describe('Connections to it, of all processes.'),
        max_connections: count.describe('The most connections that it allows.'),
        migrations: count.describe('How many migrations were applied.'),
        answered_ms: z.number().describe('How long it took to answer this, in milliseconds.'),
      })
      .describe('The database.'),
    sandboxes: z
      .strictObject({
        state: z.enum(['checking', 'ready', 'unavailable']).describe('Whether sandboxes can be made.'),
        engine: z.string().nullable().describe('The engine of new sandboxes. Null: not known yet.'),
        isolation: z.string().nullable().describe('How programs are kept apart. Null: not known yet.'),
        advice: z.string().describe('How to get a better engine; empty when there is none.'),
      })
      .describe('The engine that runs code.'),
    tagger: z
      .enum(['neural', 'words', 'service'])
      .describe('What finds names of people: our model, word lists, or a service of the operator.'),
    environment: z
      .array(
        z.strictObject({
          name: z.string().describe('The environment variable.'),
          meaning: z.string().describe('What it sets.'),
        }),
      )
      .describe('The environment variables that are set, without their values: those may be secrets.'),
    advice: z
      .array(
        z.strictObject({
          code: z.enum(systemAdvice).describe('What programs can branch on.'),
          message: z.string().describe('What would be better, and how.'),
        }),
      )
      .describe('What would be better.'),
  })
  .meta({ id: 'SystemState' });

export type SystemState = z.output<typeof systemState>;
export type SystemAdvice = SystemState['advice'][number];
