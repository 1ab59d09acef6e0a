import type { Database } from '../db/database.ts';
import { findRolesOfKey } from '../features/keys/service.ts';
import type { Audience, KnownViewers, Viewer } from '../features/knowledge-bases/ports.ts';
import { findGroupsAndRolesOf, findNamesOfPeople, findPeopleAndGroups } from '../features/people/service.ts';
import { findRolesOfWorkspace } from '../features/roles/service.ts';
import { isOutsider } from '../lib/scope.ts';

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
