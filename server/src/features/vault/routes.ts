import { done, paged, success } from '../../lib/page.ts';
import { defineRoute, type Route } from '../../lib/route.ts';
import {
  vaultCredential,
  vaultCredentialCreate,
  vaultCredentialParams,
  vaultCredentialPatch,
  vaultCredentialQuery,
  vaultTest,
} from './schema.ts';
import type { Vaults } from './service.ts';

const tag = 'Variables';

export const vaultRoutes = (vaults: Vaults): Route[] => [
  defineRoute({
    route: 'GET /v1/vault-credentials',
    summary: 'List the vaults that variables can be read from; their secrets are masked',
    tag,
    permission: 'variables_read',
    query: vaultCredentialQuery,
    answer: paged(vaultCredential),
    handler: (scope, { query }) => vaults.list(scope, query),
  }),
  defineRoute({
    route: 'POST /v1/vault-credentials',
    summary: 'Add a vault, reached by a token or an AppRole',
    tag,
    permission: 'variables_edit',
    body: vaultCredentialCreate,
    example: { name: 'vault', address: 'https://vault.example.com:8200', token: 'hvs.example' },
    answer: vaultCredential,
    handler: (scope, { body }) => vaults.create(scope, body),
  }),
  defineRoute({
    route: 'GET /v1/vault-credentials/{vault_credential_id}',
    summary: 'Get a vault credential',
    tag,
    permission: 'variables_read',
    params: vaultCredentialParams,
    answer: vaultCredential,
    handler: (scope, { params }) => vaults.get(scope, params.vault_credential_id),
  }),
  defineRoute({
    route: 'PATCH /v1/vault-credentials/{vault_credential_id}',
    summary: 'Update a vault credential; a secret that is left out stays, but another address needs it again',
    tag,
    permission: 'variables_edit',
    params: vaultCredentialParams,
    body: vaultCredentialPatch,
    example: { namespace: 'team-a' },
    answer: vaultCredential,
    handler: (scope, { params, body }) => vaults.update(scope, params.vault_credential_id, body),
  }),
  defineRoute({
    route: 'DELETE /v1/vault-credentials/{vault_credential_id}',
    summary: 'Remove a vault credential that no variable needs',
    tag,
    permission: 'variables_edit',
    params: vaultCredentialParams,
    answer: success,
    handler: async (scope, { params }) => {
      await vaults.remove(scope, params.vault_credential_id);
      return done;
    },
  }),
  defineRoute({
    route: 'POST /v1/vault-credentials/{vault_credential_id}/test',
    summary: 'Ask a vault whether it accepts a credential',
    tag,
    permission: 'variables_edit',
    params: vaultCredentialParams,
    answer: vaultTest,
    handler: (scope, { params }) => vaults.test(scope, params.vault_credential_id),
  }),
];
