import { conflict, forbidden, invalid, notFound } from '@atrium/contract/errors.ts';
import type { OwnerInput } from '@atrium/contract/keys/schema.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Db } from '../../db/database.ts';
import { required } from '../../lib/required.ts';
import type { Scope } from '../../lib/scope.ts';
import type { PeopleLookup } from './ports.ts';
import { lockManageable } from './service-accounts/service-accounts.ts';
import * as store from './store.ts';

interface Needs {
  tx: Db;
  people: PeopleLookup;
}

/** The owner of what the caller makes, and the people who are shown its value. */
interface CallerOwner {
  owner: store.KeyOwner;
  known_to: string[];
}

const isOf = (scope: Scope, person_id: string) =>
  scope.person_id === person_id || allows(scope.permissions, 'org:admin');

/**
 * The person who is signed in, or the owner of the caller's key. A person stays locked until the transaction ends, so that
 * a deactivation at the same moment finds the new key.
 */
export async function lockCallerOwner({ tx, people }: Needs, scope: Scope): Promise<CallerOwner> {
  const { actor, tenant_id } = scope;
  const found =
    actor.kind === 'person'
      ? { id: required(scope.person_id), kind: 'person' as const, known_to: [] }
      : await store.findOwner(tx, tenant_id, actor.id);
  if (!found) throw forbidden('The API key of this request was revoked');
  const { id, kind, known_to } = found;
  if (kind === 'person' && !(await people.lockActive(tx, tenant_id, id)))
    throw conflict('The owner of this key is not active any more');
  const people_ids = [...known_to, ...(scope.person_id ? [scope.person_id] : [])];
  return { owner: { id, kind }, known_to: [...new Set(people_ids)] };
}

async function lockServiceAccount(tx: Db, scope: Scope, workspace_id: string, id: string): Promise<store.KeyOwner> {
  const { active } = await lockManageable(tx, scope, { workspace_id, id }, 'share');
  if (!active) throw conflict('This service account is not active');
  return { id, kind: 'service_account' };
}

/** The owner of a new key: the service account that the request names, or else the caller's own. */
export async function lockNewOwner(
  needs: Needs,
  scope: Scope,
  workspace_id: string,
  { service_account_id, tenant_admin }: { service_account_id?: string | undefined; tenant_admin: boolean },
): Promise<CallerOwner> {
  if (service_account_id !== undefined && tenant_admin)
    throw invalid(['body', 'service_account_id'], 'a system key belongs to no workspace', service_account_id);
  const own = await lockCallerOwner(needs, scope);
  if (service_account_id === undefined) return own;
  return { ...own, owner: await lockServiceAccount(needs.tx, scope, workspace_id, service_account_id) };
}

/**
 * The owner that a key is handed over to. Only an administrator of the organization can name another person: whoever knows
 * the value would act as that person.
 */
export async function lockNamedOwner(
  { tx, people }: Needs,
  scope: Scope,
  key: { workspace_id: string; tenant_admin: boolean },
  { person_id, service_account_id }: OwnerInput,
): Promise<store.KeyOwner> {
  if ((person_id === undefined) === (service_account_id === undefined))
    throw invalid(['body', 'owner'], 'give either person_id or service_account_id', { person_id, service_account_id });
  if (service_account_id !== undefined) {
    if (key.tenant_admin)
      throw invalid(['body', 'owner'], 'a system key belongs to an administrator of the organization', {
        service_account_id,
      });
    return lockServiceAccount(tx, scope, key.workspace_id, service_account_id);
  }
  const id = required(person_id);
  // Also for a person who exists: a workspace administrator must not find out who has an account.
  if (!isOf(scope, id) || !(await people.lockActive(tx, scope.tenant_id, id))) throw notFound('person');
  return { id, kind: 'person' };
}

/** The value of a person's key lets its holder act as that person, so nobody else is shown a new one. */
export function requireRotatable(scope: Scope, { owner }: Pick<store.KeyRow, 'owner'>): void {
  if (owner.kind === 'person' && !isOf(scope, owner.id))
    throw forbidden('A key of a person can be rotated only by that person');
}
