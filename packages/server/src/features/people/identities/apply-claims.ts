import { AppError } from '@atrium/contract/errors.ts';
import type { Db } from '../../../db/database.ts';
import type { RoleLookup } from '../ports.ts';
import { mapClaims } from './map-claims.ts';
import { giveMembership, lockMemberships, takeMembership } from './membership-store.ts';
import { listMappings } from './provider-store.ts';

export interface ClaimBearer {
  tenant_id: string;
  person_id: string;
  provider_id: string;
  created_account: boolean;
  claims: Readonly<Record<string, unknown>>;
}

/** Whether a role can still be given in the workspace; it stays so until the transaction ends. */
async function isUsable(tx: Db, roles: RoleLookup, tenant_id: string, workspace_id: string, role_id: string) {
  try {
    await roles.lockForMembers(tx, tenant_id, workspace_id, role_id);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/**
 * Sets the memberships that a provider gives to a person to what the claims say now. Those made by hand, or given by
 * another provider, stay, and so does who administers the organization.
 */
export async function applyClaims(tx: Db, roles: RoleLookup, bearer: ClaimBearer): Promise<void> {
  const { tenant_id, person_id, provider_id, claims, created_account } = bearer;
  const wanted = mapClaims(claims, await listMappings(tx, provider_id), { created_account });
  const held = await lockMemberships(tx, person_id);
  for (const { workspace_id, role_id, source_provider_id } of held) {
    if (source_provider_id !== provider_id) {
      wanted.delete(workspace_id);
      continue;
    }
    const role = wanted.get(workspace_id);
    if (role === undefined) await takeMembership(tx, { workspace_id, person_id, provider_id });
    if (role === role_id) wanted.delete(workspace_id);
  }
  for (const [workspace_id, role_id] of wanted)
    if (await isUsable(tx, roles, tenant_id, workspace_id, role_id))
      await giveMembership(tx, { tenant_id, workspace_id, person_id, role_id, provider_id });
}
