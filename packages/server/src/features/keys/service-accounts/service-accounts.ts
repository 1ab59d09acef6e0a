import { conflict, forbidden, invalid, notFound } from '@atrium/contract/errors.ts';
import type {
  ServiceAccount,
  ServiceAccountCreate,
  ServiceAccountPatch,
} from '@atrium/contract/service-accounts/schema.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Notifier } from '../../../db/notifier.ts';
import { newId } from '../../../lib/ids.ts';
import { pick } from '../../../lib/pick.ts';
import { namesOf, type Scope } from '../../../lib/scope.ts';
import type { Workspaces } from '../../workspaces/service.ts';
import { holdsMore, permissionsOfList, permissionsOfRole, requireOneSource } from '../key-grants.ts';
import type { RoleLookup } from '../ports.ts';
import * as store from './store.ts';

/** The owners of keys that belong to programs. */
export interface ServiceAccounts {
  list(scope: Scope, group_id: string): Promise<ServiceAccount[]>;
  create(scope: Scope, group_id: string, input: ServiceAccountCreate): Promise<ServiceAccount>;
  update(scope: Scope, group_id: string, id: string, patch: ServiceAccountPatch): Promise<ServiceAccount>;
  /** Revokes its keys, too. */
  remove(scope: Scope, group_id: string, id: string): Promise<void>;
}

/** Fails as not found for an account of another workspace, and as forbidden for one that holds more than the caller. */
export async function lockManageable(
  tx: Db,
  scope: Scope,
  { workspace_id, id }: { workspace_id: string; id: string },
  strength: 'share' | 'update',
): Promise<ServiceAccount> {
  const account = await store.lockServiceAccount(tx, workspace_id, id, strength);
  if (!account) throw notFound('service account');
  if (
    holdsMore(scope, {
      permissions: account.permissions,
      rate_limit: scope.rate_limit ?? null,
      stream_limit: scope.stream_limit ?? null,
    })
  )
    throw forbidden('This service account holds more than the caller');
  return account;
}

/** What the audit log says of a service account. */
function auditNoteOf(before: ServiceAccount | null, after: ServiceAccount | null) {
  const fields = ['name', 'role_id', 'permissions', 'active'] as const;
  const { id = '', name = '' } = after ?? before ?? {};
  return {
    target: { kind: 'service_account', id, name },
    ...{ before: before && pick(before, fields), after: after && pick(after, fields) },
  };
}

export function makeServiceAccounts(deps: {
  db: Database;
  notifier: Notifier;
  workspaces: Workspaces;
  roles: RoleLookup;
}): ServiceAccounts {
  const { db, notifier, workspaces, roles } = deps;

  /** Undefined when the request gives neither. */
  async function findGiven(tx: Db, scope: Scope, workspace_id: string, given: ServiceAccountPatch) {
    const { role_id, permissions } = given;
    if (role_id !== undefined) {
      requireOneSource({ role_id, permissions });
      await permissionsOfRole({ tx, roles }, scope, workspace_id, role_id);
      return { role_id, permissions: [] };
    }
    return permissions && { role_id: null, permissions: permissionsOfList(scope, permissions) };
  }

  /** Runs a change, then makes every node look at its keys and streams again. */
  async function change<T>(scope: Scope, id: string, work: (tx: Db) => Promise<T>): Promise<T> {
    const result = await db.transaction(scope, async (tx) => {
      const made = await work(tx);
      await notifier.notify(tx, 'keys', id);
      return made;
    });
    notifier.notifyLocal('keys', id);
    return result;
  }

  const requireOther = (scope: Scope, id: string) => {
    if (namesOf(scope.actor).includes(id))
      throw conflict('A key does not end its own service account; use another one');
  };

  return {
    list: async (scope, group_id) => store.listServiceAccounts(db, await workspaces.reach(scope, group_id)),

    async create(scope, group_id, input) {
      const workspace_id = await workspaces.reach(scope, group_id);
      return db.transaction(scope, async (tx) => {
        const given = await findGiven(tx, scope, workspace_id, input);
        if (!given) throw invalid(['body', 'permissions'], 'give role_id or permissions', undefined);
        const { tenant_id } = scope;
        const row = { id: newId(), tenant_id, workspace_id, name: input.name, ...given };
        const made = await store.insertServiceAccount(tx, row);
        scope.audit?.note(auditNoteOf(null, made));
        return made;
      });
    },

    async update(scope, group_id, id, patch) {
      const workspace_id = await workspaces.reach(scope, group_id);
      if (patch.active === false) requireOther(scope, id);
      return change(scope, id, async (tx) => {
        // The role before the account, as a change of a role does.
        const given = await findGiven(tx, scope, workspace_id, patch);
        const before = await lockManageable(tx, scope, { workspace_id, id }, 'update');
        const { role_id, permissions } = given ?? before;
        const after = await store.updateServiceAccount(tx, {
          ...{ id, name: patch.name ?? before.name, role_id, permissions, active: patch.active ?? before.active },
        });
        scope.audit?.note(auditNoteOf(before, after));
        return after;
      });
    },

    async remove(scope, group_id, id) {
      const workspace_id = await workspaces.reach(scope, group_id);
      requireOther(scope, id);
      await change(scope, id, async (tx) => {
        scope.audit?.note(auditNoteOf(await lockManageable(tx, scope, { workspace_id, id }, 'update'), null));
        await store.deleteServiceAccount(tx, id);
      });
    },
  };
}
