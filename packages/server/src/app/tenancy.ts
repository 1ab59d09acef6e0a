import type { Config } from '../config.ts';
import type { Database, Db } from '../db/database.ts';
import type { Notifier } from '../db/notifier.ts';
import { makeSmtp } from '../drivers/mail/smtp.ts';
import { makeLazyOpenId } from '../drivers/openid/lazy-client.ts';
import { makeZxcvbn } from '../drivers/passwords/zxcvbn.ts';
import { makeAddressKind } from '../drivers/web/address-kind.ts';
import { allowPrivate, makeAllowList } from '../drivers/web/allow-list.ts';
import { makeGuardedWeb } from '../drivers/web/guarded-fetch.ts';
import { auditRoutes } from '../features/audit/handlers.ts';
import { makeAuditLog } from '../features/audit/service.ts';
import { recordSystemChange } from '../features/audit/system-changes.ts';
import { pauseDeploymentsOf } from '../features/deployments/service.ts';
import type { Keyring } from '../features/keyring/service.ts';
import { keyRoutes } from '../features/keys/handlers.ts';
import { deleteKeysOfPerson, makeKeys, makeServiceAccounts, roleHolders } from '../features/keys/service.ts';
import { serviceAccountRoutes } from '../features/keys/service-accounts/handlers.ts';
import { peopleRoutes } from '../features/people/handlers.ts';
import { identityRoutes } from '../features/people/identities/handlers.ts';
import { peopleJobs } from '../features/people/jobs.ts';
import { scimRoutes } from '../features/people/scim/handlers.ts';
import { secondFactorRoutes } from '../features/people/second-factors/handlers.ts';
import {
  countMembersWithRole,
  findCreatedAt,
  findNamesOfPeople,
  lockActivePerson,
  makeIdentityProviders,
  makeMailer,
  makeNewPasswords,
  makeOwnerProof,
  makePeople,
  makeProviderAddresses,
  makeProviderSignIns,
  makeResetRequests,
  makeScimGroups,
  makeScimTokens,
  makeScimUsers,
  makeSecondFactors,
  makeSecurityNotices,
  makeSessionPrincipals,
  makeSignInLimits,
  makeSignIns,
  makeUserGroups,
} from '../features/people/service.ts';
import { sessionRoutes } from '../features/people/sessions/handlers.ts';
import { userGroupRoutes } from '../features/people/user-groups/handlers.ts';
import { preferenceRoutes } from '../features/preferences/handlers.ts';
import { roleRoutes } from '../features/roles/handlers.ts';
import { makeRoleRecords } from '../features/roles/role-records.ts';
import { makeRoles } from '../features/roles/service.ts';
import { pauseTriggersOf } from '../features/triggers/service.ts';
import { workspaceRoutes } from '../features/workspaces/handlers.ts';
import { makeWorkspaces } from '../features/workspaces/service.ts';
import type { Counters } from '../lib/counters/ports.ts';
import type { Log } from '../lib/log.ts';
import { enqueue } from '../worker/worker.ts';

/** One for the process: its lists take 30 MB while passwords are set. */
const strength = makeZxcvbn();

const peopleLookup = { names: findNamesOfPeople, lockActive: lockActivePerson, createdAt: findCreatedAt };

async function releaseOwned(tx: Db, tenant_id: string, person_id: string): Promise<void> {
  await deleteKeysOfPerson(tx, person_id);
  const paused = {
    trigger: await pauseTriggersOf(tx, person_id),
    deployment: await pauseDeploymentsOf(tx, person_id),
  };
  for (const [kind, rows] of Object.entries(paused))
    for (const { id, workspace_id } of rows)
      await recordSystemChange(tx, {
        ...{ tenant_id, workspace_id, operation: `${kind}s.pause`, target: { kind, id } },
        after: { paused_reason: 'owner_inactive' },
      });
}

/** Composes workspaces, people, API keys and roles. */
export function composeTenancy(
  deps: Parameters<typeof makeWorkspaces>[0] & {
    db: Database;
    notifier: Notifier;
    log: Log;
    config: Config;
    secrets: Keyring;
    counters: Counters;
  },
) {
  const { config } = deps;
  const { session_idle_seconds: idle_seconds, session_seconds } = config;
  const workspaces = makeWorkspaces(deps);
  const roles = makeRoles({ ...deps, workspaces, holders: { ...roleHolders, countMembers: countMembersWithRole } });
  const keys = makeKeys({
    ...{ ...deps, workspaces, roles, people: peopleLookup },
    limits: { rate_limit: config.requests_per_minute, stream_limit: config.streams_per_caller },
  });
  const serviceAccounts = makeServiceAccounts({ ...deps, workspaces, roles });
  const mailer =
    config.mail && makeMailer({ ...deps, mail: makeSmtp(allowPrivate), settings: config.mail, queue: { enqueue } });
  const people = makePeople({ ...deps, workspaces, roles, mailer, owned: { release: releaseOwned } });
  const sessions = makeSessionPrincipals({ ...deps, workspaces, idle_seconds });
  const limits = makeSignInLimits(deps.counters, 'sign-in');
  const notices = makeSecurityNotices(mailer);
  const signIns = makeSignIns({
    ...{ ...deps, workspaces, roles, principals: sessions, limits, notices, idle_seconds, session_seconds },
    passwords: makeNewPasswords({ strength, limits }),
  });
  const proof = makeOwnerProof({ ...deps, limits });
  const openid = makeLazyOpenId({
    web: makeGuardedWeb({ allow: config.web_allow }),
    addressKind: makeAddressKind(makeAllowList(config.web_allow)),
  });
  const addresses = makeProviderAddresses(config.public_url);
  const providers = makeIdentityProviders({ ...deps, openid, roles, workspaces, addresses });
  const providerSignIns = makeProviderSignIns({
    ...{ ...deps, openid, roles, addresses, principals: sessions, proof, session_seconds },
  });
  const scim = makeScimTokens(deps);
  const isSecure = config.public_url.toLowerCase().startsWith('https:');
  const routes = [
    ...workspaceRoutes(workspaces),
    ...sessionRoutes(signIns, providerSignIns, { isSecure, resets: makeResetRequests(mailer, deps.counters) }),
    ...identityRoutes(providers, providerSignIns, { isSecure }),
    ...secondFactorRoutes(makeSecondFactors({ ...deps, limits, proof, notices })),
    ...peopleRoutes(people),
    ...preferenceRoutes(deps),
    ...userGroupRoutes(makeUserGroups({ ...deps, workspaces, roles })),
    ...scimRoutes({
      tokens: scim,
      users: makeScimUsers({ ...deps, people, roles, notices }),
      groups: makeScimGroups({ ...deps, roles }),
    }),
    ...keyRoutes(keys),
    ...serviceAccountRoutes(serviceAccounts),
    ...roleRoutes(roles),
    ...auditRoutes(makeAuditLog({ ...deps, reach: workspaces.reach })),
  ];
  return {
    workspaces,
    people,
    sessions,
    scim,
    roleRecords: makeRoleRecords(deps),
    mailer,
    routes,
    jobs: [...peopleJobs({ db: deps.db, idle_seconds }), ...(mailer?.jobs ?? [])],
  };
}
