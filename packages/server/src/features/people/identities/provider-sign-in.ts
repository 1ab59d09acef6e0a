import { AppError, conflict, notFound, unavailable } from '@atrium/contract/errors.ts';
import type { FinishSignInQuery, Identity, IdentityLink } from '@atrium/contract/identity-providers/schema.ts';
import { type Database, type Db, isDuplicate } from '../../../db/database.ts';
import type { Notifier } from '../../../db/notifier.ts';
import { type OpenId, type OpenIdClient, OpenIdFailed, type VerifiedIdentity } from '../../../drivers/openid/driver.ts';
import type { Counters } from '../../../lib/counters/ports.ts';
import { newId } from '../../../lib/ids.ts';
import { errorFields } from '../../../lib/log.ts';
import { required } from '../../../lib/required.ts';
import type { Scope } from '../../../lib/scope.ts';
import { hashOf } from '../../../lib/secrets/token-hash.ts';
import type { Keyring } from '../../keyring/service.ts';
import { changeRightsOf } from '../change-rights.ts';
import type { RoleLookup } from '../ports.ts';
import type { OwnerProof } from '../second-factors/owner-proof.ts';
import { beginSecondStep } from '../second-factors/sign-in-steps.ts';
import { findPolicy } from '../second-factors/store.ts';
import type { SessionPrincipals } from '../sessions/session-principals.ts';
import { signedInAs, startSession } from '../sessions/start-session.ts';
import { deleteSessions } from '../sessions/store.ts';
import { findWithPassword, lockWithPassword } from '../store.ts';
import { applyClaims } from './apply-claims.ts';
import { createAccount, emailOf } from './create-account.ts';
import * as identities from './identity-store.ts';
import { newBrowserToken, secretsOf } from './login-cookie.ts';
import { makeLoginLimits } from './login-limits.ts';
import { takeMembershipsOf } from './membership-store.ts';
import * as providers from './provider-store.ts';
import { identityProviderPurpose, type ProviderAddresses } from './providers.ts';

/** How long a person may take to sign in at a provider. */
export const loginSeconds = 600;

/** A sign-in on its way to the provider: the address, and the token that the cookie of this browser keeps. */
export interface StartedLogin {
  browser: string;
  address: string;
}
export interface FinishedLogin {
  return_to: string;
  /** The new session; undefined when an identity was linked to the account of the present one. */
  session: { token: string; expires_at: string } | undefined;
  /** The organization asks for the second factor too: the token of that step, in place of a session. */
  second_factor_token: string | undefined;
}

/** Sign-in at identity providers, and the identities of people there. */
export interface ProviderSignIns {
  offered(): Promise<{ id: string; name: string }[]>;
  start(scope: Scope, provider_id: string, return_to: string): Promise<StartedLogin>;
  /** The same, to link the identity to the account of the session. */
  startLink(scope: Scope, input: IdentityLink): Promise<StartedLogin>;
  finish(
    scope: Scope,
    provider_id: string,
    answer: FinishSignInQuery,
    from: { browser: string | undefined; session_token: string | undefined; user_agent: string | null },
  ): Promise<FinishedLogin>;
  list(scope: Scope): Promise<Identity[]>;
  unlink(scope: Scope, id: string): Promise<void>;
  /** Where the browser of a session signs out at its provider; null where there is none, or it does not answer. */
  endSessionUrl(scope: Scope): Promise<string | null>;
}

export const idTokenPurpose = (session_id: string) => `id token ${session_id}`;

const loginOver = () =>
  conflict('This sign-in is not known, took too long, is over or was started in another browser', 'login_over');
const refused = (why: string) => new AppError('forbidden', why, { code: 'sign_in_refused' });

export function makeProviderSignIns(deps: {
  db: Database;
  notifier: Notifier;
  secrets: Keyring;
  openid: OpenId;
  roles: RoleLookup;
  principals: Pick<SessionPrincipals, 'find'>;
  addresses: ProviderAddresses;
  proof: OwnerProof;
  session_seconds: number;
  counters: Counters;
}): ProviderSignIns {
  const { db, notifier, secrets, openid, roles, principals, addresses, proof, session_seconds } = deps;
  const countStart = makeLoginLimits(deps.counters);

  async function clientOf(row: providers.ProviderRow): Promise<OpenIdClient> {
    const { id, tenant_id, issuer, client_id, client_secret: box } = row;
    const client_secret = box === null ? null : await secrets.open(tenant_id, identityProviderPurpose(id), box);
    return { issuer, client_id, client_secret };
  }

  /** Asks the provider; what goes wrong there is logged, and the person reads what it means. */
  async function ask<T>(scope: Scope, provider_id: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof OpenIdFailed)) throw error;
      const cause = error.cause === undefined ? {} : errorFields(error.cause);
      scope.log.warn('identity-provider.failed', { provider_id, reason: error.message, ...cause });
      throw error.code === 'unavailable'
        ? unavailable('The identity provider can not be reached now; try again later', 'provider_unavailable')
        : refused('The answer of the identity provider was not accepted; sign in again');
    }
  }

  async function begin(
    scope: Scope,
    provider_id: string,
    login: identities.LoginRow & { tenant_id?: string },
  ): Promise<StartedLogin> {
    const row = await providers.findEnabledProvider(db, provider_id);
    if (!row || (login.tenant_id !== undefined && row.tenant_id !== login.tenant_id))
      throw notFound('identity provider');
    await countStart(scope.address ?? '');
    const browser = newBrowserToken();
    const address = await ask(scope, row.id, async () =>
      openid.authorizationUrl(await clientOf(row), {
        ...{ ...secretsOf(browser), redirect_uri: addresses.redirectUri(row.id), scope: row.scope },
      }),
    );
    const { return_to, person_id, session_id } = login;
    await identities.insertLogin(db, {
      ...{ id: newId(), provider_id: row.id, browser_hash: hashOf(browser), seconds: loginSeconds },
      ...{ return_to, person_id, session_id },
    });
    return { browser, address };
  }

  /** The account of an identity; made or found by issuer and subject. It does not change until the transaction ends. */
  async function findAccount(tx: Db, provider: providers.ProviderRow, verified: VerifiedIdentity) {
    const { tenant_id } = provider;
    const { issuer, subject, claims } = verified;
    const known = await identities.findIdentity(tx, tenant_id, verified);
    const id = known?.id ?? newId();
    const person_id = known?.person_id ?? (await createAccount(tx, provider, claims));
    const email = emailOf(claims) ?? null;
    const created_account = known?.created_account ?? true;
    if (!known)
      await identities.insertIdentity(tx, {
        ...{ id, tenant_id, person_id, provider_id: provider.id, issuer, subject, email, created_account },
      });
    const person = await lockWithPassword(tx, person_id);
    if (!person?.active) throw refused('This account is deactivated');
    await identities.markIdentityUsed(tx, id, email);
    return { person, created_account };
  }

  /** Links the identity to the person who started it, while the session that they started it in goes on. */
  async function link(
    tx: Db,
    { tenant_id, id: provider_id }: providers.ProviderRow,
    verified: VerifiedIdentity,
    person_id: string,
  ): Promise<void> {
    const { issuer, subject, claims } = verified;
    const known = await identities.findIdentity(tx, tenant_id, verified);
    if (known && known.person_id !== person_id) throw identityTaken();
    if (known) return;
    const email = emailOf(claims) ?? null;
    await identities.insertIdentity(tx, {
      ...{ id: newId(), tenant_id, person_id, provider_id, issuer, subject, email, created_account: false },
    });
  }
  const identityTaken = () => conflict('This identity belongs to another account', 'identity_taken');

  async function isOwnSession(login: identities.LoginRow, session_token: string | undefined): Promise<boolean> {
    const session = session_token === undefined ? undefined : (await principals.find(session_token))?.session;
    return session?.id === login.session_id && session?.person_id === login.person_id;
  }

  return {
    offered: () => providers.listOfferedProviders(db),

    start: (scope, provider_id, return_to) =>
      begin(scope, provider_id, { return_to, person_id: null, session_id: null }),

    async startLink(scope, { identity_provider_id, return_to, password, code }) {
      await proof.requirePassword(scope, password);
      await proof.requireCode(scope, code);
      return begin(scope, identity_provider_id, {
        ...{ return_to, tenant_id: scope.tenant_id },
        ...{ person_id: scope.actor.id, session_id: required(scope.session_id) },
      });
    },

    async finish(scope, provider_id, answer, { browser, session_token, user_agent }) {
      const login = browser === undefined ? undefined : await identities.takeLogin(db, provider_id, hashOf(browser));
      if (!login || browser === undefined) throw loginOver();
      const row = await providers.findEnabledProvider(db, provider_id);
      if (!row) throw notFound('identity provider');
      if (login.person_id !== null && !(await isOwnSession(login, session_token))) throw loginOver();
      const given = Object.entries(answer).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
      const verified = await ask(scope, provider_id, async () =>
        openid.exchange(await clientOf(row), {
          ...{ ...secretsOf(browser), redirect_uri: addresses.redirectUri(provider_id) },
          answer: Object.fromEntries(given),
        }),
      );
      let person_id = login.person_id ?? '';
      const seal = await secrets.sealer(row.tenant_id);
      const result: Partial<FinishedLogin> = await db
        .transaction(scope, async (tx) => {
          const provider = await providers.shareEnabledProvider(tx, provider_id);
          if (!provider || provider.issuer !== verified.issuer) throw loginOver();
          if (login.person_id !== null) {
            await link(tx, provider, verified, login.person_id);
            scope.audit?.note({
              ...{ tenant_id: provider.tenant_id, workspace_id: null, person: { id: login.person_id } },
              ...{ target: { kind: 'person', id: login.person_id }, after: { identity_provider_id: provider_id } },
            });
            return {};
          }
          const { tenant_id } = provider;
          const { person, created_account } = await findAccount(tx, provider, verified);
          person_id = person.id;
          const { claims, id_token } = verified;
          const bearer = { tenant_id, person_id, provider_id, created_account, claims };
          await changeRightsOf({ tx, notifier }, [person_id], () => applyClaims(tx, roles, bearer));
          const { second_factor_for_identity_providers: asksMore } = await findPolicy(tx, tenant_id);
          const needed = asksMore ? await beginSecondStep(tx, { person_id, provider_id }) : undefined;
          if (needed) scope.audit?.note(signedInAs(person));
          if (needed) return { second_factor_token: needed.second_factor.token };
          const started = await startSession(tx, person, { scope, user_agent, seconds: session_seconds });
          const box = seal(idTokenPurpose(started.id), id_token);
          await identities.insertOidcSession(tx, { session_id: started.id, tenant_id, provider_id, id_token: box });
          return { session: started };
        })
        .catch((error) => {
          // Two first sign-ins at the same moment, or an account that was made meanwhile.
          throw isDuplicate(error) ? loginOver() : error;
        });
      notifier.notifyLocal('keys', person_id);
      const { session, second_factor_token } = result;
      return { return_to: login.return_to, session, second_factor_token };
    },

    list: (scope) => identities.listIdentities(db, scope.actor.id),

    async unlink(scope, id) {
      const person_id = scope.actor.id;
      await db.transaction(scope, async (tx) => {
        const person = await lockWithPassword(tx, person_id);
        const removed = await identities.deleteIdentity(tx, person_id, id);
        if (!person || !removed) throw notFound('identity');
        if (person.password_hash === null && !(await identities.hasIdentity(tx, person_id)))
          throw conflict('The account has no password and no other identity', 'last_sign_in_method');
        // Nothing would take these memberships away any more.
        await changeRightsOf({ tx, notifier }, [person_id], () =>
          takeMembershipsOf(tx, person_id, removed.provider_id),
        );
        await deleteSessions(tx, person_id, null, 'identity_provider');
      });
      notifier.notifyLocal('keys', person_id);
    },

    async endSessionUrl(scope) {
      const session_id = required(scope.session_id);
      const session = await identities.findOidcSession(db, session_id);
      const row = session && (await providers.findProvider(db, session.tenant_id, session.provider_id));
      if (!session || !row || !(await findWithPassword(db, scope.actor.id))) return null;
      const { tenant_id, id_token: box } = session;
      try {
        const id_token = box === null ? null : await secrets.open(tenant_id, idTokenPurpose(session_id), box);
        const request = { id_token, redirect_uri: addresses.signedOutUri };
        return await openid.endSessionUrl(await clientOf(row), request);
      } catch (error) {
        if (!(error instanceof OpenIdFailed)) throw error;
        scope.log.warn('identity-provider.failed', { provider_id: row.id, reason: error.message });
        return null;
      }
    },
  };
}
