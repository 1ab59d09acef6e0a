import { conflict, forbidden, notFound } from '@atrium/contract/errors.ts';
import type { Workspace, WorkspaceCreate, WorkspacePatch } from '@atrium/contract/workspaces/schema.ts';
import { cacheUntilNotified } from '../../db/cache-until-notified.ts';
import type { Database, Db } from '../../db/database.ts';
import type { Notifier } from '../../db/notifier.ts';
import { retryOnDeadlock } from '../../db/retry-on-deadlock.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Keyring } from '../keyring/service.ts';
import * as store from './store.ts';

export type Workspaces = ReturnType<typeof makeWorkspaces>;

interface Needs {
  db: Database;
  notifier: Notifier;
  keyring: Keyring;
  /** What a workspace's deletion takes along outside of the database. */
  onRemove(tx: Db, workspace_id: string): Promise<void>;
}

/** Rung when a workspace was renamed or deleted. */
const topic = 'workspaces';

export function makeWorkspaces({ db, notifier, keyring, onRemove }: Needs) {
  const nameOf = cacheUntilNotified(notifier, topic, (id) => store.workspaceName(db, id));

  return {
    list: (scope: Scope): Promise<Workspace[]> => store.listWorkspaces(db, scope.tenant_id),

    async get(scope: Scope, id: string): Promise<Workspace> {
      const found = await store.findWorkspace(db, scope.tenant_id, id);
      if (!found) throw notFound('workspace');
      return found;
    },

    /** What the caller's own workspace is called; every run asks for it. */
    async nameOf({ workspace_id }: Scope): Promise<string> {
      const name = await nameOf(workspace_id);
      if (name === undefined) throw notFound('workspace');
      return name;
    },

    /** A workspace the caller may administer: any of the tenant for a system key, otherwise only its own. */
    async reach(scope: Scope, id: string): Promise<string> {
      if (id === scope.workspace_id) return id;
      if (!scope.tenant_admin || !(await store.findWorkspace(db, scope.tenant_id, id))) throw notFound('workspace');
      return id;
    },

    create: (scope: Scope, input: WorkspaceCreate): Promise<Workspace> =>
      db.write(scope, (tx) => store.insertWorkspace(tx, scope.tenant_id, newId(), input)),

    async update(scope: Scope, id: string, patch: WorkspacePatch): Promise<Workspace> {
      const updated = await db.transaction(undefined, async (tx) => {
        const row = await store.updateWorkspace(tx, scope.tenant_id, id, patch);
        if (!row) throw notFound('workspace');
        await notifier.notify(tx, topic);
        return row;
      });
      notifier.notifyLocal(topic);
      return updated;
    },

    /** Takes everything in it along, its keys too; what is sealed in it can't be opened again. */
    async remove(scope: Scope, id: string): Promise<void> {
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
