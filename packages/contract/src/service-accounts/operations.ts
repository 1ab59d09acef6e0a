import * as z from 'zod';
import { groupParams } from '../keys/schema.ts';
import { operation } from '../operation.ts';
import { conflicts, noSuch, refused } from '../operation-errors.ts';
import { success } from '../page.ts';
import { serviceAccountsRoutes } from './routes.ts';
import { serviceAccount, serviceAccountCreate, serviceAccountParams, serviceAccountPatch } from './schema.ts';

const tag = 'API keys';

export const listServiceAccounts = operation({
  id: 'serviceAccounts.list',
  route: serviceAccountsRoutes['serviceAccounts.list'],
  summary: 'List the service accounts of a workspace',
  description:
    'Returns the service accounts of the workspace by name, in one list. The accounts of the organization, which own system keys, are in no list.',
  tag,
  permission: 'workspace_admin',
  params: groupParams,
  errors: [noSuch('workspace')],
  answer: z.array(serviceAccount),
});

export const createServiceAccount = operation({
  id: 'serviceAccounts.create',
  route: serviceAccountsRoutes['serviceAccounts.create'],
  summary: 'Create a service account',
  description:
    'Creates an owner for the keys of a program. Keys of it are made with `service_account_id`; they hold at most what the service account holds at that moment, whoever made them. A caller can give only permissions that it holds itself; `org:admin` cannot be given.',
  tag,
  permission: 'workspace_admin',
  params: groupParams,
  body: serviceAccountCreate,
  example: { name: 'Ticket system', permissions: ['agents_run'] },
  errors: [
    refused('forbidden', 'The caller lacks a permission that the service account, or its role, would hold.'),
    noSuch('workspace or role'),
  ],
  answer: serviceAccount,
});

export const updateServiceAccount = operation({
  id: 'serviceAccounts.update',
  route: serviceAccountsRoutes['serviceAccounts.update'],
  summary: 'Change a service account, or switch it off',
  description:
    'Changes the given fields and keeps the others. What the service account loses, its keys lose at once on every node. While it is not active, its keys are refused and its triggers and deployments are paused. A caller can change only service accounts that hold no more than it does itself.',
  tag,
  permission: 'workspace_admin',
  params: serviceAccountParams,
  body: serviceAccountPatch,
  example: { permissions: ['agents_run', 'kbs_query'] },
  errors: [
    refused('forbidden', 'The service account holds more than the caller, or would after the change.'),
    noSuch('service account or role'),
    conflicts('conflict', 'A key would switch off its own service account.'),
  ],
  answer: serviceAccount,
});

export const deleteServiceAccount = operation({
  id: 'serviceAccounts.delete',
  route: serviceAccountsRoutes['serviceAccounts.delete'],
  summary: 'Delete a service account and revoke its keys',
  description:
    'Deletes a service account. Its keys stop working at once; its triggers and deployments are paused until they have another owner.',
  tag,
  permission: 'workspace_admin',
  params: serviceAccountParams,
  errors: [
    refused('forbidden', 'The service account holds more than the caller.'),
    noSuch('service account'),
    conflicts('conflict', 'A key would delete its own service account.'),
  ],
  answer: success,
});

export const serviceAccountsOperations = [
  listServiceAccounts,
  createServiceAccount,
  updateServiceAccount,
  deleteServiceAccount,
];
