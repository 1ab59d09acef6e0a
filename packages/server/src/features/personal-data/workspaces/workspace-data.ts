import { conflict, invalid } from '@atrium/contract/errors.ts';
import type { DataJob } from '@atrium/contract/personal-data/schema.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { BlobStore } from '../../../drivers/blobs/driver.ts';
import type { Job } from '../../../lib/define-job.ts';
import { newId } from '../../../lib/ids.ts';
import { mayBeStored } from '../../../lib/outages/may-be-stored.ts';
import type { UploadedFile } from '../../../lib/route.ts';
import { personBehind, type Scope } from '../../../lib/scope.ts';
import { withActor } from '../../actors/service.ts';
import type { ArchivedWorkspaces, WorkspaceRecords } from '../ports.ts';
import { askerOf } from '../service.ts';
import * as store from '../store.ts';
import { ArchiveRefused, mostArchiveBytes } from './archive-format.ts';
import { openArchive } from './read-archive.ts';

/** Exports and imports of workspaces. */
export interface WorkspaceData {
  export(scope: Scope, group_id: string): Promise<DataJob>;
  /** Stores an archive and has a job import it. An archive that is none is refused at once. */
  import(scope: Scope, sent: AsyncIterable<UploadedFile>): Promise<DataJob>;
}

const requestOf = (scope: Scope, archive_bytes: number): store.WorkspaceRequest => ({
  actor: { kind: scope.actor.kind, id: scope.actor.id },
  permissions: [...scope.permissions],
  ...{ home_workspace_id: scope.home_workspace_id, tenant_admin: scope.tenant_admin },
  ...{ person_id: personBehind(scope), owner_id: scope.owner_id ?? null, archive_bytes },
});

export function makeWorkspaceData(deps: {
  db: Database;
  blobs: BlobStore;
  parts: readonly WorkspaceRecords[];
  workspaces: Pick<ArchivedWorkspaces, 'reach'>;
  job: Job;
  enqueue(tx: Db, job: Job, payload: unknown): Promise<unknown>;
}): WorkspaceData {
  const { db, blobs, parts, workspaces, job, enqueue } = deps;

  const start = (scope: Scope, made: Pick<store.NewDataJob, 'id' | 'kind' | 'group_id'>, archive_bytes: number) =>
    db.transaction(scope, async (tx) => {
      const row = await store.insertDataJob(tx, {
        ...{ ...made, tenant_id: scope.tenant_id, person_id: null, actor_ids: [], created_by: askerOf(scope) },
        request: requestOf(scope, archive_bytes),
      });
      if (!row) throw conflict('This workspace is being exported already', 'export_running');
      await enqueue(tx, job, { id: row.id });
      // An export names the workspace in its path; an import has none yet.
      if (!made.group_id) scope.audit?.note({ target: { kind: 'data_job', id: row.id } });
      return withActor(tx, scope, row, 'created_by');
    });

  /** Stores the one file of a form; its size. */
  async function receive({ tenant_id }: Scope, id: string, sent: AsyncIterable<UploadedFile>): Promise<number> {
    let size: number | undefined;
    for await (const { field, stream } of sent) {
      if (size !== undefined) throw invalid(['body', field], 'one file at a time', null);
      ({ size } = await blobs.put(tenant_id, id, stream, mostArchiveBytes));
    }
    // The server refuses a form without a file before it gets here.
    if (size === undefined) throw invalid(['body', 'file'], 'Field required', null);
    const range = (from: number, length: number) => blobs.get(tenant_id, id, { start: from, end: from + length - 1 });
    await openArchive(size, range, parts);
    return size;
  }

  return {
    async export(scope, group_id) {
      const id = await workspaces.reach(scope, group_id);
      return start(scope, { id: newId(), kind: 'export_workspace', group_id: id }, 0);
    },

    async import(scope, sent) {
      const id = newId();
      let isReceived = false;
      try {
        const size = await receive(scope, id, sent);
        isReceived = true;
        return await start(scope, { id, kind: 'import_workspace' }, size);
      } catch (error) {
        // The job may be stored without our knowing: then it needs its archive.
        if (!isReceived || !mayBeStored(error)) await blobs.delete(scope.tenant_id, id);
        throw error instanceof ArchiveRefused ? invalid(['body', 'file'], error.message, null) : error;
      }
    },
  };
}
