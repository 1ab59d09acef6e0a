import { conflict, forbidden, notFound } from '@atrium/contract/errors.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type {
  MemberGroup,
  MembersQuery,
  UserGroup,
  UserGroupMember,
  UserGroupPatch,
  UserGroupsQuery,
} from '@atrium/contract/user-groups/schema.ts';
import { type Database, type Db, isDuplicate } from '../../../db/database.ts';
import { absentVersion } from '../../../db/etag.ts';
import type { Notifier } from '../../../db/notifier.ts';
import { newId } from '../../../lib/ids.ts';
import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import { changeRightsOf } from '../change-rights.ts';
import { permissionsBeyond, requireHeld } from '../grants.ts';
import type { RoleLookup, WorkspaceLookup } from '../ports.ts';
import { findPerson } from '../store.ts';
import * as store from './store.ts';

/** Groups of people, and the roles that they have in workspaces. */
export interface UserGroups {
  list(scope: Scope, query: UserGroupsQuery): Promise<Paged<UserGroup>>;
  get(scope: Scope, id: string): Promise<UserGroup>;
  create(scope: Scope, name: string): Promise<UserGroup>;
  update(scope: Scope, id: string, patch: UserGroupPatch): Promise<UserGroup>;
  remove(scope: Scope, id: string): Promise<void>;
  members(scope: Scope, id: string, query: MembersQuery): Promise<Paged<UserGroupMember>>;
  addMember(scope: Scope, id: string, person_id: string): Promise<UserGroupMember>;
  removeMember(scope: Scope, id: string, person_id: string): Promise<void>;
  memberGroups(scope: Scope, group_id: string): Promise<MemberGroup[]>;
  setMemberGroup(scope: Scope, group_id: string, id: string, role_id: string): Promise<MemberGroup>;
  removeMemberGroup(scope: Scope, group_id: string, id: string): Promise<void>;
}

const targetOf = ({ id, name }: { id: string; name: string }) => ({ kind: 'user_group', id, name });

const nameTaken = (error: unknown) =>
  isDuplicate(error) ? conflict('There is a user group with this name', 'name_taken') : error;

/** The workspace whose groups the caller sees; null: all groups of the organization. */
const visibleIn = (scope: Scope) => (allows(scope.permissions, 'org:admin') ? null : scope.workspace_id);

export function makeUserGroups(deps: {
  db: Database;
  notifier: Notifier;
  workspaces: WorkspaceLookup;
  roles: RoleLookup;
}): UserGroups {
  const { db, notifier, workspaces, roles } = deps;

  async function find(scope: Scope, id: string): Promise<UserGroup> {
    const group = await store.findUserGroup(db, scope.tenant_id, id, visibleIn(scope));
    if (!group) throw notFound('user group');
    return group;
  }

  /** Locks the group, changes it, and lets the change take effect for the people in it. */
  async function change<T>(
    scope: Scope,
    id: string,
    work: (tx: Db, group: { id: string; name: string }) => Promise<T>,
    people?: readonly string[],
  ): Promise<T> {
    const result = await db.transaction(scope, async (tx) => {
      const group = await store.lockUserGroup(tx, scope.tenant_id, id);
      if (!group) throw notFound('user group');
      const members = people ?? (await store.listMemberIds(tx, id));
      return changeRightsOf({ tx, notifier }, members, () => work(tx, { id, name: group.name }));
    });
    notifier.notifyLocal('keys');
    return result;
  }

  async function withRoles(on: Db, tenant_id: string, rows: readonly store.MemberGroupRow[]): Promise<MemberGroup[]> {
    const known = await roles.summaries(on, tenant_id);
    return rows.map((row) => {
      const { name: role_name = '', permissions = [] } = known.get(row.role_id) ?? {};
      return { ...row, role_name, permissions: [...permissions] };
    });
  }

  async function findMemberGroup(on: Db, scope: Scope, workspace_id: string, id: string) {
    const row = await store.findMemberGroup(on, workspace_id, id);
    return row && (await withRoles(on, scope.tenant_id, [row]))[0];
  }

  /** A caller can't change a group that holds more. */
  async function findManageable(tx: Db, scope: Scope, workspace_id: string, id: string) {
    const group = await findMemberGroup(tx, scope, workspace_id, id);
    const more = permissionsBeyond(scope, group?.permissions ?? []);
    if (more.length) throw forbidden(`This user group holds more than the caller: ${more.join(', ')}`);
    return group;
  }

  return {
    async list(scope, query) {
      const window = pageOf(query);
      const { rows, total, last } = await store.listUserGroups(
        db,
        scope.tenant_id,
        { ...query, workspace_id: visibleIn(scope) },
        window,
      );
      return pageAnswer(rows, total, window, last);
    },

    get: find,

    async create(scope, name) {
      const row = { id: newId(), tenant_id: scope.tenant_id, name };
      try {
        return await db.write(scope, async (on) => {
          const made = await store.insertUserGroup(on, row);
          scope.audit?.note({ target: targetOf(row), after: { name } });
          return made;
        });
      } catch (error) {
        throw nameTaken(error);
      }
    },

    async update(scope, id, patch) {
      try {
        return await db.transaction(scope, async (tx) => {
          const group = await store.lockUserGroup(tx, scope.tenant_id, id);
          if (!group) throw notFound('user group');
          const { name = group.name } = patch;
          scope.audit?.note({ target: targetOf({ id, name }), before: { name: group.name }, after: { name } });
          return store.renameUserGroup(tx, id, name);
        });
      } catch (error) {
        throw nameTaken(error);
      }
    },

    async remove(scope, id) {
      await change(scope, id, (tx, group) => {
        scope.audit?.note({ target: targetOf(group), before: { name: group.name }, after: null });
        return store.deleteUserGroup(tx, id);
      });
    },

    async members(scope, id, query) {
      const window = pageOf(query);
      await find(scope, id);
      const { rows, total, last } = await store.listMembers(db, id, window);
      return pageAnswer(rows, total, window, last);
    },

    addMember: (scope, id, person_id) =>
      change(
        scope,
        id,
        async (tx) => {
          if (!(await findPerson(tx, scope.tenant_id, person_id))) throw notFound('person');
          await store.insertMembers(tx, id, [person_id]);
          scope.audit?.note({ after: { person_id } });
          return required(await store.findMember(tx, id, person_id));
        },
        [person_id],
      ),

    async removeMember(scope, id, person_id) {
      await change(
        scope,
        id,
        async (tx) => {
          if ((await store.deleteMembers(tx, id, [person_id])) === 0) throw notFound('member');
          scope.audit?.note({ before: { person_id }, after: null });
        },
        [person_id],
      );
    },

    async memberGroups(scope, group_id) {
      const workspace_id = await workspaces.reach(scope, group_id);
      return withRoles(db, scope.tenant_id, await store.listMemberGroups(db, workspace_id));
    },

    async setMemberGroup(scope, group_id, id, role_id) {
      const workspace_id = await workspaces.reach(scope, group_id);
      return change(scope, id, async (tx) => {
        const known = await findManageable(tx, scope, workspace_id, id);
        // An administrator of one workspace must not find out which other groups there are.
        if (!known && !scope.tenant_admin) throw notFound('user group');
        requireHeld(scope, await roles.lockForMembers(tx, scope.tenant_id, workspace_id, role_id));
        scope.audit?.note({ before: known ? { role_id: known.role_id } : null, after: { role_id } });
        scope.save_check?.saw((await store.lockMemberGroupVersion(tx, workspace_id, id)) ?? absentVersion);
        await store.putMemberGroup(tx, { tenant_id: scope.tenant_id, workspace_id, user_group_id: id, role_id });
        const member = required(await findMemberGroup(tx, scope, workspace_id, id));
        scope.etag = member.etag;
        return member;
      });
    },

    async removeMemberGroup(scope, group_id, id) {
      const workspace_id = await workspaces.reach(scope, group_id);
      await change(scope, id, async (tx) => {
        const known = await findManageable(tx, scope, workspace_id, id);
        if (!known) throw notFound('user group');
        scope.audit?.note({ before: { role_id: known.role_id }, after: null });
        await store.deleteMemberGroup(tx, workspace_id, id);
      });
    },
  };
}
