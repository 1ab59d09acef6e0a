import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import type { BlobStore } from '../../drivers/blobs/driver.ts';
import { defineJob, type JobContext } from '../../lib/define-job.ts';
import { errorFields } from '../../lib/log.ts';
import type { Scope } from '../../lib/scope.ts';
import type { ArchiveEntry, DataSubject, PersonalRecords } from './ports.ts';
import { queueAttempts, runAttempt } from './run-attempt.ts';
import * as store from './store.ts';
import { zipArchive } from './zip-archive.ts';

const keepDays = 7;

type PersonJob = store.StartedDataJob & { person_id: string };
const isPersonJob = (job: store.StartedDataJob): job is PersonJob => job.person_id !== null;

export function makePersonalDataJobs(deps: {
  db: Database;
  blobs: BlobStore;
  records: readonly PersonalRecords[];
  nameOf(tenant_id: string, person_id: string): Promise<string | undefined>;
  workspacesOf(tenant_id: string): Promise<readonly string[]>;
  max_bytes: number;
}) {
  const { db, blobs, records, nameOf, workspacesOf, max_bytes } = deps;

  async function openSubject(job: PersonJob, { log, signal }: JobContext) {
    const { tenant_id, person_id, actor_ids } = job;
    const name = await nameOf(tenant_id, person_id);
    // The account goes last: without it everything else is gone.
    if (name === undefined) return undefined;
    const scopeIn = (workspace_id: string): Scope => ({
      ...{ tenant_id, workspace_id, home_workspace_id: workspace_id, tenant_admin: false, person_id },
      actor: { kind: 'person', id: person_id, name },
      permissions: new Set(['agents_run']),
      ...{ request_id: job.id, log, signal },
    });
    return { tenant_id, person_id, name, actor_ids, workspace_ids: await workspacesOf(tenant_id), scopeIn };
  }

  async function erase(job: PersonJob, context: JobContext): Promise<void> {
    const person = await openSubject(job, context);
    const report: store.DataJob['report'] = { ...job.report };
    if (person)
      for (const [at, part] of records.entries()) {
        context.signal.throwIfAborted();
        for (const [kind, count] of Object.entries(await part.erase(person)))
          report[kind] = (report[kind] ?? 0) + count;
        await store.saveProgress(db, job.id, (at + 1) / records.length, report);
      }
    const archives = await store.endExportsOf(db, job.tenant_id, job.person_id);
    for (const { id } of archives) await blobs.delete(job.tenant_id, id);
    const isLeft = (await nameOf(job.tenant_id, job.person_id)) !== undefined;
    await store.finishDataJob(db, job.id, {
      ...(isLeft ? { status: 'failed', error: 'The person was activated again meanwhile' } : { status: 'done' }),
      report,
    });
  }

  async function exportAll(job: PersonJob, context: JobContext): Promise<void> {
    const person = await openSubject(job, context);
    const report: store.DataJob['report'] = {};
    if (!person)
      return void (await store.finishDataJob(db, job.id, { status: 'failed', report, error: 'The person is gone' }));
    async function* entries(subject: DataSubject): AsyncGenerator<ArchiveEntry> {
      for (const [at, part] of records.entries()) {
        const count = () => {
          report[part.kind] = (report[part.kind] ?? 0) + 1;
        };
        context.signal.throwIfAborted();
        yield* part.entries(subject, count);
        await store.saveProgress(db, job.id, (at + 1) / records.length, report);
      }
      yield {
        name: 'report.json',
        content: [JSON.stringify({ person_id: subject.person_id, records: report }, null, 2)],
      };
    }
    // What an attempt before has left.
    await blobs.delete(job.tenant_id, job.id);
    await blobs.put(job.tenant_id, job.id, zipArchive(entries(person)), max_bytes);
    await store.finishDataJob(db, job.id, { status: 'done', report, days: keepDays });
    for (const { id } of await store.replaceArchives(db, job)) await blobs.delete(job.tenant_id, id);
  }

  return {
    run: defineJob({
      job: 'personal-data.run',
      payload: z.object({ id: z.guid() }),
      attempts: queueAttempts,
      handler: async (context, { id }) => {
        const job = await store.findAnyDataJob(db, id);
        if (!job || job.ended_at !== null || !isPersonJob(job)) return;
        const work = async () => {
          try {
            await (job.kind === 'erase_person' ? erase(job, context) : exportAll(job, context));
          } catch (error) {
            context.log.error('personal-data.attempt-failed', { data_job_id: id, ...errorFields(error) });
            throw error;
          }
        };
        const { signal } = context;
        await runAttempt(db, { id, signal }, work, (error) => store.failDataJob(db, id, error));
      },
    }),

    expire: defineJob({
      job: 'personal-data.expire',
      payload: z.object({}),
      attempts: 1,
      schedule: '37 * * * *',
      handler: async () => {
        for (const { tenant_id, id } of await store.expireArchives(db)) await blobs.delete(tenant_id, id);
      },
    }),
  };
}
