import type { Permission } from '@atrium/contract/permissions.ts';
import type { Database } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import type { BlobStore } from '../drivers/blobs/driver.ts';
import { makePersonalApprovals } from '../features/approvals/personal-approvals.ts';
import { makePersonalAuditName } from '../features/audit/personal-audit-name.ts';
import { makePersonalMemories } from '../features/base-tools/memory/personal-memories.ts';
import { makeSealedMemories } from '../features/base-tools/memory/sealed-memories.ts';
import type { ExportConversation } from '../features/conversations/conversation-export.ts';
import { eraseMessages, makePersonalConversations } from '../features/conversations/personal-conversations.ts';
import { makePersonalMarks } from '../features/evaluations/personal-marks.ts';
import { makePersonalFeedback } from '../features/feedback/personal-feedback.ts';
import { makePersonalFiles } from '../features/files/personal-files.ts';
import type { Quotas } from '../features/files/quotas.ts';
import type { Files } from '../features/files/service.ts';
import { findFiles } from '../features/files/store.ts';
import type { Keyring } from '../features/keyring/service.ts';
import { listKeyIdsOfPerson } from '../features/keys/service.ts';
import { findFilesOfDocuments } from '../features/knowledge-bases/documents/document-store.ts';
import { makePersonalNotifications } from '../features/notifications/personal-notifications.ts';
import { makePersonalAccount } from '../features/people/personal-account.ts';
import { findNamesOfPeople, type People } from '../features/people/service.ts';
import { personalDataRoutes } from '../features/personal-data/handlers.ts';
import { makePersonalDataJobs } from '../features/personal-data/jobs.ts';
import type { WorkspaceRecords } from '../features/personal-data/ports.ts';
import { makePersonalData } from '../features/personal-data/service.ts';
import { makeWorkspaceData } from '../features/personal-data/workspaces/workspace-data.ts';
import { workspaceDataRoutes } from '../features/personal-data/workspaces/workspace-handlers.ts';
import { makeWorkspaceJobs } from '../features/personal-data/workspaces/workspace-jobs.ts';
import { makePersonalRuns } from '../features/runs/end/personal-runs.ts';
import { makePersonalTableChanges } from '../features/tables/history/personal-table-changes.ts';
import { deletePrompts } from '../features/traces/store.ts';
import { makePersonalWorkflowRuns } from '../features/workflows/runs/personal-workflow-runs.ts';
import { replaceInRun } from '../features/workflows/runs/run-store.ts';
import { makePersonalSamples } from '../features/workflows/samples/personal-samples.ts';
import type { Workspaces } from '../features/workspaces/service.ts';
import { enqueue } from '../worker/worker.ts';

/** Larger archives are refused; they are written as a stream. */
const mostArchiveBytes = 64 * 1024 ** 3;

/** Composes erasures and exports of people from what each feature has of them. */
export function composePersonalData(deps: {
  db: Database;
  notifier: Notifier;
  blobs: BlobStore;
  quotas: Quotas;
  keyring: Keyring;
  people: People;
  workspaces: Pick<Workspaces, 'names'>;
  exportConversation: ExportConversation;
}) {
  const { db, notifier, blobs, people, workspaces } = deps;
  const findKnowledgeFiles = (workspace_id: string, ids: readonly string[]) =>
    findFilesOfDocuments(db, workspace_id, ids);
  const jobs = makePersonalDataJobs({
    ...{ db, blobs, max_bytes: mostArchiveBytes },
    nameOf: async (tenant_id, person_id) => (await findNamesOfPeople(db, tenant_id, [person_id])).get(person_id),
    workspacesOf: async (tenant_id) => [...(await workspaces.names(tenant_id)).keys()],
    // What belongs to conversations before these, and the account last.
    records: [
      makePersonalRuns({ db, eraseMessages, forgetPrompts: deletePrompts }),
      makePersonalFeedback(deps),
      makePersonalMarks(deps),
      makePersonalConversations(deps),
      makePersonalMemories({ db, sealed: makeSealedMemories(deps) }),
      makePersonalFiles({ ...deps, findKnowledgeFiles }),
      makePersonalApprovals({ db, replaceInRun }),
      makePersonalWorkflowRuns(deps),
      makePersonalSamples(deps),
      makePersonalTableChanges(deps),
      makePersonalNotifications(deps),
      makePersonalAuditName(deps),
      makePersonalAccount(deps),
    ],
  });
  const data = makePersonalData({
    ...{ db, blobs, notifier, people, keysOf: listKeyIdsOfPerson, job: () => jobs.run, enqueue },
  });
  return { routes: personalDataRoutes(data), jobs: Object.values(jobs) };
}

/** Composes exports and imports of workspaces from the records of each feature, those first that others need to be there. */
export function composeWorkspaceArchives(deps: {
  db: Database;
  blobs: BlobStore;
  files: Files;
  workspaces: Workspaces;
  parts: readonly WorkspaceRecords[];
  holds(workspace_id: string, actor_id: string, permission: Permission): Promise<boolean>;
}) {
  const { db } = deps;
  const jobs = makeWorkspaceJobs({
    ...deps,
    findFiles: (workspace_id, ids, which) =>
      findFiles(db, workspace_id, ids, { rights: which === 'all' ? 'all' : [], reach: 'all' }),
  });
  const data = makeWorkspaceData({ ...deps, job: jobs.archive, enqueue });
  return { routes: workspaceDataRoutes(data), jobs: Object.values(jobs) };
}
