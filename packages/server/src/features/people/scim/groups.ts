import { notFound } from '@atrium/contract/errors.ts';
import type {
  ScimGroup,
  ScimGroupInput,
  ScimList,
  ScimListQuery,
  ScimPatch,
  ScimQuery,
} from '@atrium/contract/scim/schema.ts';
import { groupUrn } from '@atrium/contract/scim/urns.ts';
import { type Database, type Db, isDuplicate } from '../../../db/database.ts';
import type { Notifier } from '../../../db/notifier.ts';
import { newId } from '../../../lib/ids.ts';
import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import { changeRightsOf } from '../change-rights.ts';
import type { RoleLookup } from '../ports.ts';
import * as groups from '../user-groups/store.ts';
import { makeAdministrators } from './administrators.ts';
import { readFilter } from './filter.ts';
import { changeGroup, type WantedGroup } from './group-document.ts';
import * as store from './group-store.ts';
import { readChanges } from './patch.ts';
import { invalidValue, uniqueness } from './scim-error.ts';
import { listOf, pick, wants, windowOf } from './shape.ts';
import { isAdopting } from './token-store.ts';
import { knownUsers } from './user-store.ts';

/** User groups as a directory keeps them. It sees those that it has made or taken over, and the people of theirs that it has made. */
export interface ScimGroups {
  list(scope: Scope, query: ScimListQuery): Promise<ScimList<ScimGroup>>;
  get(scope: Scope, id: string, query: ScimQuery): Promise<ScimGroup>;
  create(scope: Scope, input: ScimGroupInput, query: ScimQuery): Promise<ScimGroup>;
  replace(scope: Scope, id: string, input: ScimGroupInput, query: ScimQuery): Promise<ScimGroup>;
  patch(scope: Scope, id: string, patch: ScimPatch, query: ScimQuery): Promise<ScimGroup>;
  remove(scope: Scope, id: string): Promise<void>;
}

const taken = (error: unknown) => (isDuplicate(error) ? uniqueness('Another group has this name') : error);
const wantedOf = ({ displayName, externalId, members = [] }: ScimGroupInput): WantedGroup => ({
  ...{ name: displayName.trim(), external_id: externalId ?? null, members: new Set(members.map(({ value }) => value)) },
});

export function makeScimGroups(deps: {
  db: Database;
  notifier: Notifier;
  roles: Pick<RoleLookup, 'summaries'>;
}): ScimGroups {
  const { db, notifier } = deps;
  const administrators = makeAdministrators(deps.roles);

  async function show(on: Db, rows: readonly store.ScimGroupRow[], query: ScimQuery): Promise<ScimGroup[]> {
    const ids = rows.map(({ id }) => id);
    const members = wants(query, 'members') ? await store.listGroupMembers(on, ids) : [];
    return rows.map((row) =>
      pick(query, {
        ...{ schemas: [groupUrn], id: row.id, ...(row.external_id !== null && { externalId: row.external_id }) },
        displayName: row.name,
        members: members
          .filter(({ user_group_id }) => user_group_id === row.id)
          .map(({ person_id, name }) => ({ value: person_id, display: name, type: 'User' as const })),
        meta: {
          ...{ resourceType: 'Group', created: row.created_at, lastModified: row.updated_at },
          location: `/scim/v2/Groups/${row.id}`,
        },
      }),
    );
  }

  async function showOne(on: Db, scope: Scope, id: string, query: ScimQuery): Promise<ScimGroup> {
    const row = await store.findGroup(on, scope.tenant_id, id);
    if (!row) throw notFound('group');
    return required((await show(on, [row], query))[0]);
  }

  async function change<T>(scope: Scope, work: (tx: Db) => Promise<T>): Promise<T> {
    const result = await db.transaction(scope, work).catch((error) => {
      throw taken(error);
    });
    notifier.notifyLocal('keys');
    return result;
  }

  async function lock(tx: Db, scope: Scope, id: string) {
    await groups.lockUserGroup(tx, scope.tenant_id, id);
    const row = await store.findGroup(tx, scope.tenant_id, id);
    if (!row) throw notFound('group');
    const members = await store.listGroupMembers(tx, [id]);
    return { ...row, members: new Set(members.map(({ person_id }) => person_id)) };
  }

  /** Sets the people of a group that SCIM has made; those put into it by hand stay. */
  async function setMembers(tx: Db, scope: Scope, id: string, before: ReadonlySet<string>, after: ReadonlySet<string>) {
    const [added, removed] = [[...after.difference(before)], [...before.difference(after)]];
    const known = await knownUsers(tx, scope.tenant_id, added);
    const strange = added.find((person) => !known.has(person));
    if (strange !== undefined) throw invalidValue('A member is no user that SCIM has made');
    await administrators.requireMovable(tx, scope, id, [...added, ...removed]);
    await changeRightsOf({ tx, notifier }, [...added, ...removed], async () => {
      if (added.length) await groups.insertMembers(tx, id, added);
      if (removed.length) await groups.deleteMembers(tx, id, removed);
    });
  }

  async function storeGroup(tx: Db, scope: Scope, id: string, wanted: WantedGroup) {
    const before = await lock(tx, scope, id);
    if (before.name !== wanted.name) await groups.renameUserGroup(tx, id, wanted.name);
    await store.putGroup(tx, scope.tenant_id, id, wanted.external_id);
    await setMembers(tx, scope, id, before.members, wanted.members);
  }

  /** A new group, or one of this name that is taken over. */
  async function groupFor(tx: Db, scope: Scope, { name, external_id }: WantedGroup): Promise<string> {
    const adopts = await isAdopting(tx, scope.tenant_id, scope.actor.id);
    const known = adopts ? await store.findUnlinkedGroup(tx, scope.tenant_id, name) : undefined;
    // Else the directory could make anybody an administrator who is in it.
    if (known && (await administrators.includesGroup(tx, scope.tenant_id, known.id)))
      throw uniqueness('There is a group with this name that administers a workspace, which no directory takes over');
    const id = known?.id ?? newId();
    if (!known) await groups.insertUserGroup(tx, { id, tenant_id: scope.tenant_id, name });
    await store.putGroup(tx, scope.tenant_id, id, external_id);
    return id;
  }

  return {
    async list(scope, query) {
      const conditions = readFilter(query.filter, store.groupFilters);
      const { start, offset, limit } = windowOf(query);
      const { rows, total } = await store.listGroups(db, scope.tenant_id, { conditions, offset, limit });
      return listOf(await show(db, rows, query), total, start);
    },

    get: (scope, id, query) => showOne(db, scope, id, query),

    create: (scope, input, query) =>
      change(scope, async (tx) => {
        const wanted = wantedOf(input);
        const id = await groupFor(tx, scope, wanted);
        await storeGroup(tx, scope, id, wanted);
        return showOne(tx, scope, id, query);
      }),

    replace: (scope, id, input, query) =>
      change(scope, async (tx) => {
        await storeGroup(tx, scope, id, wantedOf(input));
        return showOne(tx, scope, id, query);
      }),

    patch: (scope, id, patch, query) =>
      change(scope, async (tx) => {
        const changes = readChanges(patch);
        await storeGroup(tx, scope, id, changeGroup(await lock(tx, scope, id), changes));
        return showOne(tx, scope, id, query);
      }),

    remove: (scope, id) =>
      change(scope, async (tx) => {
        await lock(tx, scope, id);
        const people = await groups.listMemberIds(tx, id);
        await administrators.requireMovable(tx, scope, id, people);
        await changeRightsOf({ tx, notifier }, people, () => groups.deleteUserGroup(tx, id));
      }),
  };
}
