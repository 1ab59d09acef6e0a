import { operation } from '../operation.ts';
import { paged, success } from '../page.ts';
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
  summary: 'List the vaults that variables can be read from; their secrets are masked',
  tag,
  permission: 'variables_read',
  query: vaultCredentialQuery,
  answer: paged(vaultCredential),
});

export const createVaultCredential = operation({
  id: 'vaultCredentials.create',
  route: vaultRoutes['vaultCredentials.create'],
  summary: 'Add a vault, reached by a token or an AppRole',
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
  tag,
  permission: 'variables_read',
  params: vaultCredentialParams,
  answer: vaultCredential,
});

export const updateVaultCredential = operation({
  id: 'vaultCredentials.update',
  route: vaultRoutes['vaultCredentials.update'],
  summary: 'Update a vault credential; a secret that is left out stays, but another address needs it again',
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
  summary: 'Remove a vault credential that no variable needs',
  tag,
  permission: 'variables_edit',
  params: vaultCredentialParams,
  answer: success,
});

export const testVaultCredential = operation({
  id: 'vaultCredentials.test',
  route: vaultRoutes['vaultCredentials.test'],
  summary: 'Ask a vault whether it accepts a credential',
  tag,
  permission: 'variables_edit',
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
