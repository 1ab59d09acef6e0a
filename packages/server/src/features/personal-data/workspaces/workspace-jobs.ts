import { AppError, InvalidRequest } from '@atrium/contract/errors.ts';
import type { Permission } from '@atrium/contract/permissions.ts';
import type { DataJob } from '@atrium/contract/personal-data/schema.ts';
import { z } from 'zod';
import type { Database } from '../../../db/database.ts';
import type { BlobStore } from '../../../drivers/blobs/driver.ts';
import { defineJob, type JobContext } from '../../../lib/define-job.ts';
import { explainRefusal } from '../../../lib/explain-refusal.ts';
import { newId } from '../../../lib/ids.ts';
import { errorFields } from '../../../lib/log.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { ArchivedWorkspaces, FileSaver, WorkspaceRecords } from '../ports.ts';
import { queueAttempts, runAttempt } from '../run-attempt.ts';
import * as store from '../store.ts';
import { zipArchive } from '../zip-archive.ts';
import { ArchiveRefused, mostArchiveBytes } from './archive-format.ts';
import { exportWorkspace, type FindArchivedFiles } from './export-workspace.ts';
import { importWorkspace } from './import-workspace.ts';
import { openArchive } from './read-archive.ts';

const keepDays = 7;
const mostFollowUp = 1000;

type WorkspaceJob = store.StartedDataJob & { request: store.WorkspaceRequest };
const isWorkspaceJob = (job: store.StartedDataJob): job is WorkspaceJob => job.request !== null;

/** Trying again would not help; the message is for the one who asked. */
const isFinal = (error: unknown): error is Error =>
  // A RangeError: JSON that is nested too deeply.
  [ArchiveRefused, AppError, InvalidRequest, RangeError].some((kind) => error instanceof kind);

export function makeWorkspaceJobs(deps: {
  db: Database;
  blobs: BlobStore;
  parts: readonly WorkspaceRecords[];
  files: FileSaver;
  findFiles: FindArchivedFiles;
  workspaces: ArchivedWorkspaces;
  /** Whether the one who asked still holds a permission. */
  holds(workspace_id: string, actor_id: string, permission: Permission): Promise<boolean>;
}) {
  const { db, blobs, parts, workspaces } = deps;

  const scopeOf = ({ id, tenant_id, request }: WorkspaceJob, workspace_id: string, context: JobContext): Scope => ({
    ...{ tenant_id, workspace_id, home_workspace_id: request.home_workspace_id, tenant_admin: request.tenant_admin },
    actor: { ...request.actor, name: '' },
    permissions: new Set(request.permissions),
    ...(request.person_id !== null && { person_id: request.person_id }),
    // Triggers and deployments that are imported belong to the importer.
    ...(request.owner_id && { owner_id: request.owner_id }),
    ...{ request_id: id, ...context },
  });

  async function exportOne(job: WorkspaceJob, context: JobContext): Promise<void> {
    const report: DataJob['report'] = {};
    const scope = scopeOf(job, job.group_id ?? '', context);
    const workspace = await workspaces.get(scope, scope.workspace_id);
    const count = async (kind: string, progress?: number) => {
      context.signal.throwIfAborted();
      report[kind] ??= 0;
      if (progress === undefined) report[kind] += 1;
      else await store.saveProgress(db, job.id, progress, report);
    };
    // What an attempt before has left.
    await blobs.delete(job.tenant_id, job.id);
    const archive = zipArchive(exportWorkspace(deps, workspace, count));
    await blobs.put(job.tenant_id, job.id, archive, mostArchiveBytes);
    await store.finishDataJob(db, job.id, { status: 'done', report, days: keepDays });
    for (const { id } of await store.replaceArchives(db, job)) await blobs.delete(job.tenant_id, id);
  }

  /** Deletes the workspace of an attempt that was interrupted or has failed. */
  async function removeMade(job: WorkspaceJob, context: JobContext): Promise<void> {
    const { group_id } = job;
    if (group_id !== null && (await workspaces.names(job.tenant_id)).has(group_id))
      await workspaces.remove(scopeOf(job, group_id, context), group_id);
  }

  async function importOne(job: WorkspaceJob, context: JobContext): Promise<void> {
    await removeMade(job, context);
    const range = (start: number, length: number) =>
      blobs.get(job.tenant_id, job.id, { start, end: start + length - 1 });
    const archive = await openArchive(job.request.archive_bytes, range, parts);
    const scope = scopeOf(job, newId(), context);
    // Before the workspace is there: the next attempt then finds and deletes it, whenever this one is interrupted.
    await store.setWorkspace(db, job.id, scope.workspace_id);
    const { description, ...fields } = archive.manifest.workspace;
    await workspaces.create(scope, { ...fields, description: description ?? undefined }, scope.workspace_id);
    const report: DataJob['report'] = {};
    const follow_up = await importWorkspace(deps, scope, archive, async (kind, records, progress) => {
      report[kind] = records;
      await store.saveProgress(db, job.id, progress, report);
    });
    report['follow_up'] = follow_up.length;
    await store.saveFollowUp(db, job.id, follow_up.slice(0, mostFollowUp));
    await store.finishDataJob(db, job.id, { status: 'done', report });
    await blobs.delete(job.tenant_id, job.id);
  }

  async function execute(job: WorkspaceJob, context: JobContext): Promise<void> {
    const needed = job.kind === 'import_workspace' ? 'org:admin' : 'workspace_admin';
    if (!(await deps.holds(job.request.home_workspace_id, job.request.actor.id, needed)))
      throw new ArchiveRefused(`Who asked for it lacks the permission ${needed} now`);
    await (job.kind === 'import_workspace' ? importOne(job, context) : exportOne(job, context));
  }

  /** Ends a job that has failed for good, after everything that it made is gone. */
  async function fail(id: string, error: string, context: JobContext): Promise<void> {
    const job = await store.findAnyDataJob(db, id);
    if (!job || !isWorkspaceJob(job)) return;
    if (job.kind === 'import_workspace') await removeMade(job, context);
    await blobs.delete(job.tenant_id, job.id);
    await store.failDataJob(db, id, error);
  }

  return {
    archive: defineJob({
      job: 'workspaces.archive',
      payload: z.object({ id: z.guid() }),
      attempts: queueAttempts,
      handler: async (context, { id }) => {
        const job = await store.findAnyDataJob(db, id);
        if (!job || job.ended_at !== null || !isWorkspaceJob(job)) return;
        const work = async () => {
          try {
            await execute(job, context);
          } catch (error) {
            context.log.error('workspaces.archive-failed', { data_job_id: id, ...errorFields(error) });
            if (context.signal.aborted || !isFinal(error)) throw error;
            await fail(id, explainRefusal(error) ?? error.message, context);
          }
        };
        const { signal } = context;
        await runAttempt(db, { id, signal }, work, (error) => fail(id, error, context));
      },
    }),
  };
}
