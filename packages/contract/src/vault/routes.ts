/** The method and path of each operation, without schemas, for clients that need nothing else. */
export const vaultRoutes = {
  'vaultCredentials.list': 'GET /v1/vault-credentials',
  'vaultCredentials.create': 'POST /v1/vault-credentials',
  'vaultCredentials.get': 'GET /v1/vault-credentials/{vault_credential_id}',
  'vaultCredentials.update': 'PATCH /v1/vault-credentials/{vault_credential_id}',
  'vaultCredentials.delete': 'DELETE /v1/vault-credentials/{vault_credential_id}',
  'vaultCredentials.test': 'POST /v1/vault-credentials/{vault_credential_id}/test',
} as const;
