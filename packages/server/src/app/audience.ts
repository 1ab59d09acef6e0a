import { allows } from '@atrium/contract/permissions.ts';
import type { Database } from '../db/database.ts';
import type { WorkspaceAudience } from '../features/conversations/ports.ts';
import { findRolesOfKey } from '../features/keys/service.ts';
import type { Audience, KnownViewers, Viewer } from '../features/knowledge-bases/ports.ts';
import {
  type AudienceFilter,
  findGroupsAndRolesOf,
  findGroupsOfWorkspace,
  findNamesOfPeople,
  findPeopleAndGroups,
  findPeopleOfWorkspace,
} from '../features/people/service.ts';
import { findGrantableRoles, findRolesOfWorkspace } from '../features/roles/service.ts';
import { isOutsider, type Scope } from '../lib/scope.ts';

/** Composes who a caller is for `visible_to` of documents. Guests of channels and links are nobody in particular. */
export function composeAudience(db: Database): Audience {
  const asRoles = (ids: readonly string[]) => ids.map((id): Viewer => ({ kind: 'role', id }));

  return {
    async of(scope) {
      const { workspace_id, person_id, actor } = scope;
      if (isOutsider(scope)) return [];
      if (person_id !== undefined) return findGroupsAndRolesOf(db, workspace_id, person_id);
      return actor.kind === 'api_key' ? asRoles(await findRolesOfKey(db, workspace_id, actor.id)) : [];
    },

    async known({ tenant_id, workspace_id }, viewers) {
      const idsOf = (kind: Viewer['kind']) => viewers.filter((viewer) => viewer.kind === kind).map(({ id }) => id);
      const place = { tenant_id, workspace_id };
      const [roles, others] = await Promise.all([
        findRolesOfWorkspace(db, tenant_id, workspace_id, idsOf('role')),
        findPeopleAndGroups(db, place, { people: idsOf('person'), groups: idsOf('user_group') }),
      ]);
      return [...asRoles(roles), ...others];
    },
  };
}

/** Composes who of an archive is known: its people need not belong to the new workspace, which has no members yet. */
export function composeKnownViewers(db: Database): KnownViewers {
  const { known } = composeAudience(db);
  return async (scope, viewers) => {
    const people = viewers.filter(({ kind }) => kind === 'person').map(({ id }) => id.toLowerCase());
    const names = people.length ? await findNamesOfPeople(db, scope.tenant_id, people) : new Map<string, string>();
    const others = await known(
      scope,
      viewers.filter(({ kind }) => kind !== 'person'),
    );
    return [...others, ...[...names.keys()].map((id): Viewer => ({ kind: 'person', id }))];
  };
}

/** Composes the people, groups and roles of a workspace that conversations are shared with. */
export function composeWorkspaceAudience(db: Database): WorkspaceAudience {
  const lists = { person: findPeopleOfWorkspace, user_group: findGroupsOfWorkspace, role: findGrantableRoles };

  async function find(scope: Scope, kinds: readonly Viewer['kind'][], filter: AudienceFilter) {
    const found = await Promise.all(
      kinds.map(async (kind) => (await lists[kind](db, scope, filter)).map(({ id, name }) => ({ kind, id, name }))),
    );
    return found.flat();
  }
  const all = ['person', 'user_group', 'role'] as const;
  /** Steps of workflows name people and groups; roles are for those who share conversations and documents. */
  const seesRoles = ({ permissions }: Scope) => allows(permissions, 'agents_run') || allows(permissions, 'kbs_edit');

  return {
    list: (scope, { search, kind, id, size }) =>
      find(
        scope,
        (kind ? [kind] : all).filter((one) => one !== 'role' || seesRoles(scope)),
        { search, ids: id === undefined ? undefined : [id], limit: size },
      ),
    named: async (scope, ids) => (ids.length === 0 ? [] : find(scope, all, { ids, limit: ids.length })),
  };
}
