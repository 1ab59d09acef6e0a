import { conflict, forbidden, notFound } from '@atrium/contract/errors.ts';
import type { Workspace, WorkspaceCreate, WorkspacePatch } from '@atrium/contract/workspaces/schema.ts';
import { cacheUntilNotified } from '../../db/cache-until-notified.ts';
import type { Database, Db } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { retryOnDeadlock } from '../../db/retry-on-deadlock.ts';
import { newId } from '../../lib/ids.ts';
import { required } from '../../lib/required.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Keyring } from '../keyring/service.ts';
import * as store from './store.ts';

/** The workspaces of a tenant. */
export interface Workspaces {
  list(scope: Scope): Promise<Workspace[]>;
  get(scope: Scope, id: string): Promise<Workspace>;
  /** The name of the caller's own workspace, cached because every run needs it. */
  nameOf(scope: Scope): Promise<string>;
  /** The words that are never taken for personal data in a workspace, cached because every run needs them. */
  piiAllow(workspace_id: string): Promise<readonly string[]>;
  /** The bytes of files that a workspace may keep by its own quota; 0: any. Cached because every upload needs it. */
  fileQuota(workspace_id: string): Promise<number>;
  /** Returns the id of a workspace that the caller may administer: any of the tenant for a system key, else its own. */
  reach(scope: Scope, id: string): Promise<string>;
  /** The names of all workspaces of a tenant by their ids, the oldest first. */
  names(tenant_id: string): Promise<ReadonlyMap<string, string>>;
  create(scope: Scope, input: WorkspaceCreate, id?: string): Promise<Workspace>;
  update(scope: Scope, id: string, patch: WorkspacePatch): Promise<Workspace>;
  /** Deletes a workspace with everything in it, its keys too; its sealed values can't be opened again. */
  remove(scope: Scope, id: string): Promise<void>;
}

interface Needs {
  db: Database;
  notifier: Notifier;
  keyring: Keyring;
  /** Deletes what a workspace has outside of the database. */
  onRemove(tx: Db, workspace_id: string): Promise<void>;
  /** The bytes of files in each workspace of a tenant. */
  fileBytes(db: Db, tenant_id: string): Promise<ReadonlyMap<string, number>>;
}

const megabyte = 1024 * 1024;

/** Notified when a workspace was made, changed or deleted. */
const topic = 'workspaces';

export function makeWorkspaces({ db, notifier, keyring, onRemove, fileBytes }: Needs): Workspaces {
  const nameOf = cacheUntilNotified(notifier, topic, (id) => store.workspaceName(db, id));

  const piiAllow = cacheUntilNotified(notifier, topic, (id) => store.workspacePiiAllow(db, id));

  const quotaOf = cacheUntilNotified(notifier, topic, (id) => store.workspaceFileQuota(db, id));

  async function withBytes(on: Db, { tenant_id }: Scope, rows: readonly store.WorkspaceRow[]): Promise<Workspace[]> {
    const bytes = await fileBytes(on, tenant_id);
    return rows.map((row) => ({ ...row, file_bytes: bytes.get(row.id) ?? 0 }));
  }

  return {
    piiAllow: (workspace_id) => piiAllow(workspace_id),
    fileQuota: async (workspace_id) => (await quotaOf(workspace_id)) * megabyte,
    list: async (scope) => withBytes(db, scope, await store.listWorkspaces(db, scope.tenant_id)),

    async get(scope, id) {
      const workspace = await store.findWorkspace(db, scope.tenant_id, id);
      if (!workspace) throw notFound('workspace');
      return required((await withBytes(db, scope, [workspace]))[0]);
    },

    async nameOf({ workspace_id }) {
      const name = await nameOf(workspace_id);
      if (name === undefined) throw notFound('workspace');
      return name;
    },

    async reach(scope, id) {
      if (id === scope.workspace_id) return id;
      if (!scope.tenant_admin || !(await store.findWorkspace(db, scope.tenant_id, id))) throw notFound('workspace');
      return id;
    },

    names: async (tenant_id) => new Map((await store.listWorkspaces(db, tenant_id)).map(({ id, name }) => [id, name])),

    async create(scope, input, id = newId()) {
      const made = await db.transaction(scope, async (tx) => {
        const row = await store.insertWorkspace(tx, scope.tenant_id, id, input);
        await notifier.notify(tx, topic);
        return { ...row, file_bytes: 0 };
      });
      notifier.notifyLocal(topic);
      return made;
    },

    async update(scope, id, patch) {
      if (patch.file_quota_mb !== undefined && !scope.tenant_admin)
        throw forbidden('Only an administrator of the organization sets file_quota_mb');
      const updated = await db.transaction(scope, async (tx) => {
        const before = await store.findWorkspace(tx, scope.tenant_id, id);
        const row = await store.updateWorkspace(tx, scope.tenant_id, id, patch);
        if (!row) throw notFound('workspace');
        scope.audit?.note({ before: before ?? null, after: row, target: { kind: 'workspace', id, name: row.name } });
        await notifier.notify(tx, topic);
        return required((await withBytes(tx, scope, [row]))[0]);
      });
      notifier.notifyLocal(topic);
      return updated;
    },

    async remove(scope, id) {
      if (id === scope.home_workspace_id)
        throw conflict('This workspace is the home of the key you are using; delete it with a key of another one');
      const remove = async (tx: Db) => {
        if (!scope.tenant_admin && (await store.hasSystemKeys(tx, scope.tenant_id, id)))
          throw forbidden('System keys live in this workspace; only a system key can delete it');
        if (!(await store.deleteWorkspace(tx, scope.tenant_id, id))) throw notFound('workspace');
        await onRemove(tx, id);
        await notifier.notify(tx, 'keys');
        await notifier.notify(tx, topic);
      };
      await retryOnDeadlock(() => db.transaction(scope, remove));
      notifier.notifyLocal('keys');
      notifier.notifyLocal(topic);
      keyring.forget(id);
    },
  };
}
