import { conflict, forbidden, notFound } from '@atrium/contract/errors.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import type {
  Invitation,
  InvitationCreate,
  Member,
  PeopleQuery,
  Person,
  PersonPatch,
  ResetLink,
} from '@atrium/contract/people/schema.ts';
import type { EndReason } from '@atrium/contract/sessions/schema.ts';
import type { Database, Db } from '../../db/database.ts';
import { absentVersion } from '../../db/etag.ts';
import type { Notifier } from '../../db/notifier.ts';
import { newId } from '../../lib/ids.ts';
import { pick } from '../../lib/pick.ts';
import { required } from '../../lib/required.ts';
import type { Scope } from '../../lib/scope.ts';
import { hashOf } from '../../lib/secrets/token-hash.ts';
import { foldEmail } from './fold-email.ts';
import { permissionsBeyond, requireHeld } from './grants.ts';

export { permissionsBeyond } from './grants.ts';

import * as links from './link-store.ts';
import type { Mailer } from './mails/mailer.ts';
import { daySeconds, newLinkToken } from './one-time-token.ts';
import type { AccountPatch, OwnedThings, RoleLookup, RoleSummary, WorkspaceLookup } from './ports.ts';
import { deleteSignInSteps } from './second-factors/store.ts';
import { deleteSessions } from './sessions/store.ts';
import * as store from './store.ts';

export {
  type AudienceFilter,
  findGroupsAndRolesOf,
  findGroupsOfWorkspace,
  findPeopleAndGroups,
  findPeopleOfWorkspace,
} from './audience-store.ts';
export { renewClaim } from './claims.ts';
export { makeProviderSignIns } from './identities/provider-sign-in.ts';
export { makeIdentityProviders, makeProviderAddresses } from './identities/providers.ts';
export { type Mailer, mailPurpose, makeMailer } from './mails/mailer.ts';
export { makeResetRequests } from './mails/reset-requests.ts';
export { makeSecurityNotices } from './mails/security-notices.ts';
export { countMembersWithRole } from './rights-store.ts';
export { makeScimGroups } from './scim/groups.ts';
export { makeScimTokens, type ScimTokens } from './scim/tokens.ts';
export { makeScimUsers } from './scim/users.ts';
export { makeOwnerProof } from './second-factors/owner-proof.ts';
export { makeSecondFactors } from './second-factors/second-factors.ts';
export { makeNewPasswords } from './sessions/new-passwords.ts';
export { makeSessionPrincipals, type SessionPrincipals } from './sessions/session-principals.ts';
export { makeSignIns } from './sessions/sign-in.ts';
export { makeSignInLimits } from './sessions/sign-in-limits.ts';
export {
  findCreatedAt,
  findHolders,
  findMember,
  findNames as findNamesOfPeople,
  findPerson,
  lockActivePerson,
} from './store.ts';
export { makeUserGroups } from './user-groups/user-groups.ts';

/** The accounts of an organization and the members of its workspaces. */
export interface People {
  list(scope: Scope, query: PeopleQuery): Promise<Paged<Person>>;
  get(scope: Scope, id: string): Promise<Person>;
  update(scope: Scope, id: string, patch: PersonPatch): Promise<Person>;
  /** The same in a transaction of the caller, who lets other nodes know of it, and the person of a new address. */
  updateIn(tx: Db, scope: Scope, id: string, patch: AccountPatch): Promise<Person>;
  /** A link to set a new password with; it replaces an earlier one. */
  makeResetLink(scope: Scope, id: string): Promise<ResetLink>;
  members(scope: Scope, group_id: string): Promise<Member[]>;
  setMember(scope: Scope, group_id: string, person_id: string, role_id: string): Promise<Member>;
  removeMember(scope: Scope, group_id: string, person_id: string): Promise<void>;
  invitations(scope: Scope, group_id: string): Promise<Invitation[]>;
  invite(scope: Scope, group_id: string, input: InvitationCreate): Promise<Invitation>;
  revokeInvitation(scope: Scope, group_id: string, id: string): Promise<void>;
}

export function makePeople(deps: {
  db: Database;
  notifier: Notifier;
  workspaces: WorkspaceLookup;
  roles: RoleLookup;
  owned: OwnedThings;
  /** Undefined where the server sends no mail. */
  mailer: Pick<Mailer, 'prepareInvitation'> | undefined;
}): People {
  const { db, notifier, workspaces, roles, owned, mailer } = deps;
  const endSessions = (tx: Db, person_id: string, reason: EndReason = 'rights_changed') =>
    deleteSessions(tx, person_id, null, reason);

  /** Runs a change of rights, then makes every node look at its sessions and streams again. */
  async function changeRights<T>(scope: Scope, person_id: string, work: (tx: Db) => Promise<T>): Promise<T> {
    const result = await db.transaction(scope, async (tx) => {
      const made = await work(tx);
      await notifier.notify(tx, 'keys', person_id);
      return made;
    });
    notifier.notifyLocal('keys', person_id);
    return result;
  }

  async function find(on: Db, scope: Scope, id: string): Promise<Person> {
    const person = await store.findPerson(on, scope.tenant_id, id);
    if (!person) throw notFound('person');
    return person;
  }

  async function updateIn(tx: Db, scope: Scope, id: string, patch: AccountPatch): Promise<Person> {
    const administrators = await store.lockAdministrators(tx, scope.tenant_id);
    const before = await find(tx, scope, id);
    const { name = before.name, active = before.active, tenant_admin = before.tenant_admin, email } = patch;
    const isLast = administrators.length === 1 && administrators[0] === id;
    if (isLast && !(active && tenant_admin))
      throw conflict('The organization would have no administrator left', 'last_administrator');
    const limit = (field: 'rate_limit' | 'stream_limit') =>
      patch[field] === undefined ? before[field] : patch[field] || null;
    const limits = { rate_limit: limit('rate_limit'), stream_limit: limit('stream_limit') };
    const row = await store.updatePerson(tx, scope.tenant_id, { id, name, email, active, tenant_admin, ...limits });
    const fields = ['name', 'email', 'active', 'tenant_admin', 'rate_limit', 'stream_limit'] as const;
    scope.audit?.note({
      target: { kind: 'person', id, name },
      ...{ before: pick(before, fields), after: pick(row, fields), hidden: ['name', 'email'] },
    });
    const isMoved = row.email !== before.email;
    if (!active && before.active) await endSessions(tx, id, 'deactivated');
    else if (isMoved) await endSessions(tx, id, 'account_changed');
    else if (active !== before.active || tenant_admin !== before.tenant_admin) await endSessions(tx, id);
    // A link that was mailed to the old address must not open the account, nor a sign-in that was begun with it.
    if (isMoved) await links.deleteResets(tx, id);
    if (isMoved) await deleteSignInSteps(tx, id);
    if (!active) await owned.release(tx, scope.tenant_id, id);
    if (!active) await links.deleteInvitationsFor(tx, scope.tenant_id, null, before.email);
    return row;
  }

  async function withRoles(on: Db, tenant_id: string, rows: readonly store.MemberRow[]): Promise<Member[]> {
    const known = rows.length ? await roles.summaries(on, tenant_id) : new Map<string, RoleSummary>();
    return rows.map((row) => {
      const { name: role_name = '', permissions = [] } = known.get(row.role_id) ?? {};
      return { ...row, role_name, permissions: [...permissions] };
    });
  }

  async function findMember(on: Db, scope: Scope, workspace_id: string, person_id: string) {
    const row = await store.findMember(on, workspace_id, person_id);
    return row && (await withRoles(on, scope.tenant_id, [row]))[0];
  }

  /** A caller can't change a member who holds more, by the role here or as an administrator of the organization. */
  async function findManageable(tx: Db, scope: Scope, workspace_id: string, person_id: string) {
    const member = await findMember(tx, scope, workspace_id, person_id);
    if (!member) return undefined;
    const { tenant_admin } = await find(tx, scope, person_id);
    const more = permissionsBeyond(scope, [...member.permissions, ...(tenant_admin ? (['org:admin'] as const) : [])]);
    if (more.length) throw forbidden(`This member holds more than the caller: ${more.join(', ')}`);
    return member;
  }

  /**
   * Ends what a person has by the role so far. An older invitation must not bring that role back. Before the member is
   * changed: a person who joins takes the invitation first, too.
   */
  async function endMembership(tx: Db, scope: Scope, workspace_id: string, person_id: string, endsSessions = true) {
    const { email } = await find(tx, scope, person_id);
    await links.deleteInvitationsFor(tx, scope.tenant_id, workspace_id, email);
    if (endsSessions) await endSessions(tx, person_id);
  }

  return {
    async list(scope, query) {
      const window = pageOf(query);
      const { rows, total, last } = await store.listPeople(db, scope.tenant_id, query, window);
      return pageAnswer(rows, total, window, last);
    },

    get: (scope, id) => find(db, scope, id),

    update: (scope, id, patch) => changeRights(scope, id, (tx) => updateIn(tx, scope, id, patch)),

    updateIn,

    async makeResetLink(scope, id) {
      const token = newLinkToken('atl');
      return db.transaction(scope, async (tx) => {
        await find(tx, scope, id);
        await store.lockWithPassword(tx, id);
        await links.deleteResets(tx, id);
        const { expires_at } = await links.insertLink(tx, {
          ...{ id: newId(), tenant_id: scope.tenant_id, kind: 'reset', token_hash: hashOf(token), seconds: daySeconds },
          ...{ person_id: id, workspace_id: null, role_id: null, email: null },
        });
        return { token, expires_at };
      });
    },

    async members(scope, group_id) {
      const workspace_id = await workspaces.reach(scope, group_id);
      return withRoles(db, scope.tenant_id, await store.listMembers(db, workspace_id));
    },

    async setMember(scope, group_id, person_id, role_id) {
      const workspace_id = await workspaces.reach(scope, group_id);
      return changeRights(scope, person_id, async (tx) => {
        const known = await findManageable(tx, scope, workspace_id, person_id);
        // Others invite: an administrator of one workspace must not find out who has an account.
        if (!known && !scope.tenant_admin) throw notFound('member');
        requireHeld(scope, await roles.lockForMembers(tx, scope.tenant_id, workspace_id, role_id));
        // Who is added somewhere loses nothing, so that their sessions go on.
        const isOther = known !== undefined && known.role_id !== role_id;
        await endMembership(tx, scope, workspace_id, person_id, isOther);
        scope.save_check?.saw((await store.lockMemberVersion(tx, workspace_id, person_id)) ?? absentVersion);
        await store.putMember(tx, { tenant_id: scope.tenant_id, workspace_id, person_id, role_id });
        scope.audit?.note({ before: known ? { role_id: known.role_id } : null, after: { role_id } });
        const member = required(await findMember(tx, scope, workspace_id, person_id));
        scope.etag = member.etag;
        return member;
      });
    },

    async removeMember(scope, group_id, person_id) {
      const workspace_id = await workspaces.reach(scope, group_id);
      await changeRights(scope, person_id, async (tx) => {
        const known = await findManageable(tx, scope, workspace_id, person_id);
        if (!known) throw notFound('member');
        scope.audit?.note({ before: { role_id: known.role_id }, after: null });
        await endMembership(tx, scope, workspace_id, person_id);
        await store.deleteMember(tx, workspace_id, person_id);
      });
    },

    async invitations(scope, group_id) {
      const rows = await links.listInvitations(db, await workspaces.reach(scope, group_id));
      return rows.map((row) => ({ ...row, token: null }));
    },

    async invite(scope, group_id, { email: given, role_id, days }) {
      const email = foldEmail(given);
      const workspace_id = await workspaces.reach(scope, group_id);
      const token = newLinkToken('atl');
      const id = newId();
      const workspace = (await workspaces.names(scope.tenant_id)).get(workspace_id) ?? '';
      const putMail = await mailer?.prepareInvitation(scope.tenant_id, id, { to: email, token, workspace, days });
      return db.transaction(scope, async (tx) => {
        requireHeld(scope, await roles.lockForMembers(tx, scope.tenant_id, workspace_id, role_id));
        const times = await links.insertLink(tx, {
          ...{ id, tenant_id: scope.tenant_id, kind: 'invitation', token_hash: hashOf(token) },
          ...{ workspace_id, role_id, email, person_id: null, seconds: days * daySeconds },
          invited_by: scope.actor.kind === 'person' ? scope.actor.id : null,
        });
        scope.audit?.note({ after: { email, role_id, days }, hidden: ['email'] });
        await putMail?.(tx);
        return { id, group_id: workspace_id, email, role_id, token, mailed: putMail !== undefined, ...times };
      });
    },

    async revokeInvitation(scope, group_id, id) {
      const workspace_id = await workspaces.reach(scope, group_id);
      await db.write(scope, async (on) => {
        if (!(await links.deleteInvitation(on, workspace_id, id))) throw notFound('invitation');
      });
    },
  };
}
