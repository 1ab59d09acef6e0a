import { forbidden, notFound } from '@atrium/contract/errors.ts';
import type { Person } from '@atrium/contract/people/schema.ts';
import type {
  ScimList,
  ScimListQuery,
  ScimPatch,
  ScimQuery,
  ScimUser,
  ScimUserInput,
} from '@atrium/contract/scim/schema.ts';
import { type Database, type Db, isDuplicate } from '../../../db/database.ts';
import type { Notifier } from '../../../db/notifier.ts';
import { newId } from '../../../lib/ids.ts';
import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import { changeRightsOf } from '../change-rights.ts';
import { foldEmail } from '../fold-email.ts';
import type { PutNotice, SecurityNotices } from '../mails/security-notices.ts';
import type { AccountPatch, RoleLookup } from '../ports.ts';
import { findByEmail, insertPerson } from '../store.ts';
import { deleteMembers } from '../user-groups/store.ts';
import { makeAdministrators } from './administrators.ts';
import { readFilter } from './filter.ts';
import { listGroupIdsOf } from './group-store.ts';
import { readChanges } from './patch.ts';
import { uniqueness } from './scim-error.ts';
import { listOf, pick, wants, windowOf } from './shape.ts';
import { isAdopting } from './token-store.ts';
import { changeUser, isUnchanged, readUser, showUser, type WantedUser } from './user-document.ts';
import * as store from './user-store.ts';

/** People as a directory keeps them. It sees those that it has made or taken over, and no others. */
export interface ScimUsers {
  list(scope: Scope, query: ScimListQuery): Promise<ScimList<ScimUser>>;
  get(scope: Scope, id: string, query: ScimQuery): Promise<ScimUser>;
  create(scope: Scope, input: ScimUserInput, query: ScimQuery): Promise<ScimUser>;
  replace(scope: Scope, id: string, input: ScimUserInput, query: ScimQuery): Promise<ScimUser>;
  patch(scope: Scope, id: string, patch: ScimPatch, query: ScimQuery): Promise<ScimUser>;
  remove(scope: Scope, id: string): Promise<void>;
}

const taken = (error: unknown) =>
  isDuplicate(error) ? uniqueness('Another user has this userName or this mail address') : error;

export function makeScimUsers(deps: {
  db: Database;
  notifier: Notifier;
  people: { updateIn(tx: Db, scope: Scope, id: string, patch: AccountPatch): Promise<Person> };
  roles: Pick<RoleLookup, 'summaries'>;
  notices: SecurityNotices;
}): ScimUsers {
  const { db, notifier, people, notices } = deps;
  const administrators = makeAdministrators(deps.roles);

  async function show(on: Db, rows: readonly store.ScimUserRow[], query: ScimQuery): Promise<ScimUser[]> {
    const groups = wants(query, 'groups')
      ? await store.listGroupsOf(
          on,
          rows.map(({ id }) => id),
        )
      : [];
    return rows.map((row) =>
      pick(
        query,
        showUser(
          row,
          groups.filter(({ person_id }) => person_id === row.id),
        ),
      ),
    );
  }

  async function showOne(on: Db, scope: Scope, id: string, query: ScimQuery): Promise<ScimUser> {
    const row = await store.findUser(on, scope.tenant_id, id);
    if (!row) throw notFound('user');
    return required((await show(on, [row], query))[0]);
  }

  /** Runs a change of one person, then makes every node look at their sessions and keys again. */
  async function change<T>(scope: Scope, id: string, work: (tx: Db) => Promise<T>): Promise<T> {
    const result = await db
      .transaction(scope, async (tx) => {
        const made = await work(tx);
        await notifier.notify(tx, 'keys', id);
        return made;
      })
      .catch((error) => {
        throw taken(error);
      });
    notifier.notifyLocal('keys', id);
    return result;
  }

  /** Makes an account what the directory wants. Who administers the organization keeps the address: it resets passwords. */
  async function storeAccount(tx: Db, scope: Scope, before: store.ScimUserRow, wanted: WantedUser, put: PutNotice) {
    const { names, name, email, active } = wanted;
    if (!isUnchanged(before, wanted)) await administrators.requireChangeable(tx, scope, [before.id]);
    const isMoved = foldEmail(before.email) !== email;
    if (isMoved && before.tenant_admin)
      throw forbidden('The address of an administrator of the organization can not be changed');
    await people.updateIn(tx, scope, before.id, { name, active, ...(isMoved && { email }) });
    if (isMoved) await put(tx, { ...before, name }, 'address_changed', email);
    await store.putUser(tx, scope.tenant_id, before.id, names);
  }

  async function lock(tx: Db, scope: Scope, id: string): Promise<store.ScimUserRow> {
    const row = await store.lockUser(tx, scope.tenant_id, id);
    if (!row) throw notFound('user');
    return row;
  }

  /** The id of the account for a new user: a new one, or one that is taken over. */
  async function accountFor(tx: Db, scope: Scope, id: string, { name, email }: WantedUser): Promise<string> {
    const known = await findByEmail(tx, email);
    if (!known) {
      await insertPerson(tx, scope.tenant_id, { id, name, email, tenant_admin: false, password_hash: null });
      return id;
    }
    const isFree = known.tenant_id === scope.tenant_id && !(await store.findUser(tx, scope.tenant_id, known.id));
    const mayAdopt =
      isFree &&
      (await isAdopting(tx, scope.tenant_id, scope.actor.id)) &&
      !(await administrators.includes(tx, scope.tenant_id, [known.id]));
    if (!mayAdopt) throw uniqueness('There is an account with this mail address');
    return known.id;
  }

  async function update(
    scope: Scope,
    id: string,
    want: (row: store.ScimUserRow) => WantedUser,
    query: ScimQuery,
  ): Promise<ScimUser> {
    const put = await notices.prepare(scope.tenant_id);
    return change(scope, id, async (tx) => {
      const row = await lock(tx, scope, id);
      await storeAccount(tx, scope, row, want(row), put);
      return showOne(tx, scope, id, query);
    });
  }

  return {
    async list(scope, query) {
      const conditions = readFilter(query.filter, store.userFilters);
      const { start, offset, limit } = windowOf(query);
      const { rows, total } = await store.listUsers(db, scope.tenant_id, { conditions, offset, limit });
      return listOf(await show(db, rows, query), total, start);
    },

    get: (scope, id, query) => showOne(db, scope, id, query),

    create(scope, input, query) {
      const wanted = readUser(input);
      const fresh = newId();
      return change(scope, fresh, async (tx) => {
        const id = await accountFor(tx, scope, fresh, wanted);
        const { names, name, active } = wanted;
        await people.updateIn(tx, scope, id, { name, active });
        await store.putUser(tx, scope.tenant_id, id, names);
        if (id !== fresh) await notifier.notify(tx, 'keys', id);
        return showOne(tx, scope, id, query);
      });
    },

    replace: (scope, id, input, query) => update(scope, id, () => readUser(input), query),

    patch(scope, id, patch, query) {
      const changes = readChanges(patch);
      return update(scope, id, (row) => changeUser(row, changes), query);
    },

    remove: (scope, id) =>
      change(scope, id, async (tx) => {
        await lock(tx, scope, id);
        await administrators.requireChangeable(tx, scope, [id]);
        await people.updateIn(tx, scope, id, { active: false });
        await changeRightsOf({ tx, notifier }, [id], async () => {
          for (const group of await listGroupIdsOf(tx, id)) await deleteMembers(tx, group, [id]);
        });
        await store.deleteUser(tx, id);
      }),
  };
}
