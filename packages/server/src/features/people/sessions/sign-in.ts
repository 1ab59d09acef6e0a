import { AppError, conflict, notFound } from '@atrium/contract/errors.ts';
import type {
  Claim,
  CurrentSession,
  EndReason,
  OpenInvitation,
  SecondFactorNeeded,
  Session,
  SignIn,
} from '@atrium/contract/sessions/schema.ts';
import { type Database, type Db, isDuplicate } from '../../../db/database.ts';
import type { Notifier } from '../../../db/notifier.ts';
import { newId } from '../../../lib/ids.ts';
import { omit } from '../../../lib/omit.ts';
import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import { hashOf } from '../../../lib/secrets/token-hash.ts';
import type { Keyring } from '../../keyring/service.ts';
import { foldEmail } from '../fold-email.ts';
import * as links from '../link-store.ts';
import type { SecurityNotices } from '../mails/security-notices.ts';
import type { RoleLookup, WorkspaceLookup } from '../ports.ts';
import { beginSecondStep, finishSecondStep } from '../second-factors/sign-in-steps.ts';
import { deleteSignInSteps } from '../second-factors/store.ts';
import * as people from '../store.ts';
import type { NewPasswords } from './new-passwords.ts';
import { isPassword } from './passwords.ts';
import type { SessionPrincipals } from './session-principals.ts';
import type { SignInLimits } from './sign-in-limits.ts';
import { signedInAs, startSession } from './start-session.ts';
import * as store from './store.ts';

/** A session with its token, which only the cookie carries. */
export interface StartedSession {
  token: string;
  session: CurrentSession;
}

/** Sign-in of people, and their sessions. */
export interface SignIns {
  isClaimed(): Promise<boolean>;
  claim(scope: Scope, input: Claim, user_agent: string | null): Promise<StartedSession>;
  /** Starts a session, or the second step of an account with a second factor. */
  signIn(scope: Scope, input: SignIn, user_agent: string | null): Promise<StartedSession | SecondFactorNeeded>;
  verifySecondFactor(
    scope: Scope,
    input: { token: string; code: string },
    user_agent: string | null,
  ): Promise<StartedSession>;
  acceptInvitation(
    scope: Scope,
    input: { token: string; name: string; password: string },
    user_agent: string | null,
  ): Promise<StartedSession>;
  joinWorkspace(scope: Scope, token: string): Promise<void>;
  lookAtInvitation(token: string): Promise<OpenInvitation>;
  /** Why the session of this token has ended, if it has. */
  endReason(token: string): Promise<EndReason | undefined>;
  current(scope: Scope): Promise<CurrentSession>;
  list(scope: Scope): Promise<Session[]>;
  end(scope: Scope, id: string): Promise<void>;
  signOut(scope: Scope, everywhere: boolean): Promise<void>;
  changePassword(scope: Scope, current: string, password: string): Promise<void>;
  resetPassword(scope: Scope, token: string, password: string): Promise<void>;
}

const refused = () =>
  new AppError('unauthorized', 'The mail address or the password is wrong', { code: 'sign_in_refused' });

const claimRefused = () => new AppError('forbidden', 'The token is wrong, or was used', { code: 'claim_refused' });
const linkRefused = () => new AppError('forbidden', 'The link is wrong, or was used', { code: 'link_refused' });
const passwordRefused = () => new AppError('forbidden', 'The current password is wrong', { code: 'password_refused' });

export function makeSignIns(deps: {
  db: Database;
  notifier: Notifier;
  principals: SessionPrincipals;
  roles: RoleLookup & { findDefault(tx: Db, tenant_id: string, name: string): Promise<string | undefined> };
  workspaces: WorkspaceLookup;
  secrets: Keyring;
  limits: SignInLimits;
  passwords: NewPasswords;
  notices: SecurityNotices;
  idle_seconds: number;
  session_seconds: number;
}): SignIns {
  const { db, notifier, principals, roles, workspaces, limits, passwords, notices, idle_seconds, session_seconds } =
    deps;

  const start = (tx: Db, scope: Scope, person: people.PersonWithPassword, user_agent: string | null) =>
    startSession(tx, person, { scope, user_agent, seconds: session_seconds });

  async function describe(person: people.PersonWithPassword, id: string): Promise<CurrentSession> {
    const { id: person_id, tenant_id } = person;
    const row = await store.findExpiry(db, id);
    if (!row) throw notFound('session');
    const memberships = await principals.membershipsOf({ person_id, tenant_id });
    return {
      ...{ id, expires_at: row.expires_at, person: omit(person, ['tenant_id', 'password_hash']) },
      must_enrol_second_factor: row.must_enrol,
      workspaces: memberships.map(({ workspace_id, name, permissions }) => ({
        ...{ id: workspace_id, name, permissions: [...permissions] },
      })),
    };
  }

  /** Locks the account; undefined when it was deactivated or its password changed since it was compared. */
  async function lockUnchanged(tx: Db, { id, password_hash }: people.PersonWithPassword) {
    const person = await people.lockWithPassword(tx, id);
    return person?.active && person.password_hash === password_hash ? person : undefined;
  }

  /** Makes an account and its first session in one transaction, then answers for it. */
  async function startWith(
    scope: Scope,
    user_agent: string | null,
    makePerson: (tx: Db) => Promise<string>,
  ): Promise<StartedSession> {
    const { person, started } = await db
      .transaction(scope, async (tx) => {
        const made = required(await people.findWithPassword(tx, await makePerson(tx)));
        return { person: made, started: await start(tx, scope, made, user_agent) };
      })
      .catch((error) => {
        throw isDuplicate(error) ? conflict('This mail address has an account', 'email_taken') : error;
      });
    return { token: started.token, session: await describe(person, started.id) };
  }

  /** Ends sessions in a transaction, then makes every node look at its cache and streams. */
  async function ending(scope: Scope, work: (tx: Db) => Promise<unknown>): Promise<void> {
    const person_id = scope.actor.id;
    await db.transaction(scope, async (tx) => {
      await work(tx);
      await notifier.notify(tx, 'keys', person_id);
    });
    notifier.notifyLocal('keys', person_id);
  }

  const sessionOf = (scope: Scope) => required(scope.session_id);

  return {
    isClaimed: () => people.hasPeople(db),

    async claim(scope, input, user_agent) {
      const { token, name } = input;
      const email = foldEmail(input.email);
      // Nothing is hashed for a wrong link, so that wrong ones cost the server nothing.
      if (!(await links.findLink(db, 'claim', hashOf(token)))) throw claimRefused();
      const password_hash = await passwords.hash(scope, input.password, input);
      return startWith(scope, user_agent, async (tx) => {
        const link = await links.takeLink(tx, 'claim', hashOf(token));
        if (!link) throw claimRefused();
        if (await people.hasPeople(tx)) throw conflict('The server has its first administrator', 'already_claimed');
        const id = newId();
        await people.insertPerson(tx, link.tenant_id, { id, name, email, tenant_admin: true, password_hash });
        const [home] = [...(await workspaces.names(link.tenant_id)).keys()];
        const role_id = await roles.findDefault(tx, link.tenant_id, 'Admin');
        const { tenant_id } = link;
        if (home && role_id) await people.putMember(tx, { tenant_id, workspace_id: home, person_id: id, role_id });
        return id;
      });
    },

    async signIn(scope, { email: given, password }, user_agent) {
      const email = foldEmail(given);
      const person = await limits.run(
        email,
        scope.address ?? '',
        async () => {
          const found = await people.findByEmail(db, email);
          if (found) scope.audit?.note(signedInAs(found));
          const isRight = await isPassword(password, found?.password_hash ?? null);
          return isRight && found?.active ? found : undefined;
        },
        (found) => found !== undefined,
      );
      if (!person) throw refused();
      const started = await db.transaction(scope, async (tx) => {
        if (!(await lockUnchanged(tx, person))) throw refused();
        const needed = await beginSecondStep(tx, { person_id: person.id, provider_id: null });
        return needed ?? start(tx, scope, person, user_agent);
      });
      if ('second_factor' in started) return started;
      return { token: started.token, session: await describe(person, started.id) };
    },

    async verifySecondFactor(scope, input, user_agent) {
      const { person, started } = await finishSecondStep(deps, scope, input, user_agent);
      return { token: started.token, session: await describe(person, started.id) };
    },

    async acceptInvitation(scope, input, user_agent) {
      const { token, name } = input;
      const invitation = await links.findLink(db, 'invitation', hashOf(token));
      if (!invitation?.email) throw notFound('invitation');
      const password_hash = await passwords.hash(scope, input.password, { name, email: invitation.email });
      return startWith(scope, user_agent, async (tx) => {
        const link = await links.takeLink(tx, 'invitation', hashOf(token));
        if (!link?.email || !link.workspace_id || !link.role_id) throw notFound('invitation');
        // The owner of the address proves it by signing in; the invitation stays.
        if (await people.findByEmail(tx, link.email))
          throw conflict('This mail address has an account: sign in, then join', 'sign_in_first');
        await roles.lockForMembers(tx, link.tenant_id, link.workspace_id, link.role_id);
        const id = newId();
        const { email } = link;
        await people.insertPerson(tx, link.tenant_id, { id, name, email, tenant_admin: false, password_hash });
        const { tenant_id, workspace_id, role_id } = link;
        await people.putMember(tx, { tenant_id, workspace_id, person_id: id, role_id });
        return id;
      });
    },

    joinWorkspace: (scope, token) =>
      ending(scope, async (tx) => {
        const link = await links.takeLink(tx, 'invitation', hashOf(token));
        const person = await people.findWithPassword(tx, scope.actor.id);
        if (!link?.email || !link.workspace_id || !link.role_id || !person) throw notFound('invitation');
        scope.audit?.note({
          ...{ workspace_id: link.workspace_id, target: { kind: 'person', id: person.id } },
          after: { role_id: link.role_id },
        });
        const isOwn = foldEmail(link.email) === foldEmail(person.email) && link.tenant_id === scope.tenant_id;
        if (!isOwn) throw notFound('invitation');
        await roles.lockForMembers(tx, link.tenant_id, link.workspace_id, link.role_id);
        const { tenant_id, workspace_id, role_id } = link;
        await people.putMember(tx, { tenant_id, workspace_id, person_id: person.id, role_id });
      }),

    async lookAtInvitation(token) {
      const found = await links.findInvitation(db, hashOf(token));
      if (!found) throw notFound('invitation');
      const { tenant_id, workspace_id, role_id, email, inviter_name, expires_at } = found;
      const [names, known] = await Promise.all([workspaces.names(tenant_id), roles.summaries(db, tenant_id)]);
      const workspace_name = workspace_id === null ? undefined : names.get(workspace_id);
      if (workspace_name === undefined) throw notFound('invitation');
      return { workspace_name, role_name: known.get(role_id)?.name ?? '', email, inviter_name, expires_at };
    },

    endReason: (token) => store.findEndReason(db, hashOf(token), idle_seconds),

    async current(scope) {
      const person = await people.findWithPassword(db, scope.actor.id);
      if (!person) throw notFound('session');
      return describe(person, sessionOf(scope));
    },

    async list(scope) {
      const rows = await store.listSessions(db, scope.actor.id, idle_seconds);
      return rows.map((row) => ({ ...row, current: row.id === sessionOf(scope) }));
    },

    end: (scope, id) =>
      ending(scope, async (tx) => {
        if ((await store.endSession(tx, scope.actor.id, id, 'ended_by_person')) === 0) throw notFound('session');
      }),

    signOut: (scope, everywhere) =>
      ending(scope, (tx) =>
        everywhere
          ? store.deleteSessions(tx, scope.actor.id, null, 'ended_by_person')
          : store.deleteSession(tx, scope.actor.id, sessionOf(scope)),
      ),

    async changePassword(scope, current, password) {
      const person = required(await people.findWithPassword(db, scope.actor.id));
      const isRight = await limits.run(
        foldEmail(person.email),
        scope.address ?? '',
        () => isPassword(current, person.password_hash),
        (right) => right,
      );
      if (!isRight) throw passwordRefused();
      const password_hash = await passwords.hash(scope, password, person);
      const putNotice = await notices.prepare(person.tenant_id);
      await ending(scope, async (tx) => {
        if (!(await lockUnchanged(tx, person))) throw passwordRefused();
        await people.setPassword(tx, person.id, password_hash);
        await links.deleteResets(tx, person.id);
        await deleteSignInSteps(tx, person.id);
        await store.deleteSessions(tx, person.id, sessionOf(scope), 'password_changed');
        await putNotice(tx, person, 'password_changed');
      });
    },

    async resetPassword(scope, token, password) {
      const known = await links.findLink(db, 'reset', hashOf(token));
      const person = known?.person_id ? await people.findWithPassword(db, known.person_id) : undefined;
      if (!person) throw linkRefused();
      const { id: person_id, tenant_id } = person;
      const password_hash = await passwords.hash(scope, password, person);
      const putNotice = await notices.prepare(tenant_id);
      await db.transaction(scope, async (tx) => {
        if (!(await links.takeLink(tx, 'reset', hashOf(token)))) throw linkRefused();
        scope.audit?.note({ tenant_id, person: { id: person_id }, target: { kind: 'person', id: person_id } });
        await people.setPassword(tx, person_id, password_hash);
        await links.deleteResets(tx, person_id);
        await deleteSignInSteps(tx, person_id);
        await store.deleteSessions(tx, person_id, null, 'password_changed');
        await putNotice(tx, person, 'password_set_by_link');
        await notifier.notify(tx, 'keys', person_id);
      });
      notifier.notifyLocal('keys', person_id);
    },
  };
}
