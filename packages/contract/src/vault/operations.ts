import { operation } from '../operation.ts';
import { paged, success, summaryOf } from '../page.ts';
import { vaultRoutes } from './routes.ts';
import {
  vaultCredential,
  vaultCredentialCreate,
  vaultCredentialParams,
  vaultCredentialPatch,
  vaultCredentialQuery,
  vaultTest,
} from './schema.ts';

const tag = 'Variables';

export const listVaultCredentials = operation({
  id: 'vaultCredentials.list',
  route: vaultRoutes['vaultCredentials.list'],
  summary: 'List the vault credentials of the workspace',
  description:
    'Returns the credentials by which variables are read from vaults, page by page. Tokens and secret ids are masked.',
  tag,
  permission: 'variables_read',
  query: vaultCredentialQuery,
  answer: paged(
    vaultCredential,
    summaryOf(vaultCredential, ['id', 'name', 'address', 'auth_method', 'created_at', 'updated_at']),
  ),
});

export const createVaultCredential = operation({
  id: 'vaultCredentials.create',
  route: vaultRoutes['vaultCredentials.create'],
  summary: 'Create a vault credential',
  description:
    'Stores how to reach a HashiCorp Vault (key/value engine version 2), so that variables can be read from it. The token or secret id is sealed and can be replaced but not read again.',
  tag,
  permission: 'variables_edit',
  body: vaultCredentialCreate,
  example: { name: 'vault', address: 'https://vault.example.com:8200', token: 'hvs.example' },
  answer: vaultCredential,
});

export const getVaultCredential = operation({
  id: 'vaultCredentials.get',
  route: vaultRoutes['vaultCredentials.get'],
  summary: 'Get a vault credential',
  description: 'Returns one credential. Its token and secret id are masked.',
  tag,
  permission: 'variables_read',
  params: vaultCredentialParams,
  answer: vaultCredential,
});

export const updateVaultCredential = operation({
  id: 'vaultCredentials.update',
  route: vaultRoutes['vaultCredentials.update'],
  summary: 'Update a vault credential',
  description:
    'Changes the given fields and keeps the others, secrets too. Another address needs the token or secret id again, so that a stored secret is never sent to a new place.',
  tag,
  permission: 'variables_edit',
  params: vaultCredentialParams,
  body: vaultCredentialPatch,
  example: { namespace: 'team-a' },
  answer: vaultCredential,
});

export const deleteVaultCredential = operation({
  id: 'vaultCredentials.delete',
  route: vaultRoutes['vaultCredentials.delete'],
  summary: 'Delete a vault credential',
  description:
    'Deletes a credential. While variables are read with it, the request fails with 409 `in_use` and names them.',
  tag,
  permission: 'variables_edit',
  params: vaultCredentialParams,
  answer: success,
});

export const testVaultCredential = operation({
  id: 'vaultCredentials.test',
  route: vaultRoutes['vaultCredentials.test'],
  summary: 'Test a vault credential',
  description:
    'Logs in to the vault with the stored credential and reports the result. Reads no secret. A vault that refuses is an answer with `success: false`, not an error.',
  tag,
  permission: 'variables_edit',
  audit: { none: 'it tries what is configured and changes nothing' },
  params: vaultCredentialParams,
  answer: vaultTest,
});

export const vaultOperations = [
  listVaultCredentials,
  createVaultCredential,
  getVaultCredential,
  updateVaultCredential,
  deleteVaultCredential,
  testVaultCredential,
];
