import { done } from '@atrium/contract/page.ts';
import {
  createVaultCredential,
  deleteVaultCredential,
  getVaultCredential,
  listVaultCredentials,
  testVaultCredential,
  updateVaultCredential,
} from '@atrium/contract/vault/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Vaults } from './service.ts';

export const vaultRoutes = (vaults: Vaults): Route[] => [
  handle(listVaultCredentials, (scope, { query }) => vaults.list(scope, query)),
  handle(createVaultCredential, (scope, { body }) => vaults.create(scope, body)),
  handle(getVaultCredential, (scope, { params }) => vaults.get(scope, params.vault_credential_id)),
  handle(updateVaultCredential, (scope, { params, body }) => vaults.update(scope, params.vault_credential_id, body)),
  handle(deleteVaultCredential, async (scope, { params }) => {
    await vaults.remove(scope, params.vault_credential_id);
    return done;
  }),
  handle(testVaultCredential, (scope, { params }) => vaults.test(scope, params.vault_credential_id)),
];
