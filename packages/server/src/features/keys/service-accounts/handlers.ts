import { done } from '@atrium/contract/page.ts';
import {
  createServiceAccount,
  deleteServiceAccount,
  listServiceAccounts,
  updateServiceAccount,
} from '@atrium/contract/service-accounts/operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { ServiceAccounts } from './service-accounts.ts';

export const serviceAccountRoutes = (accounts: ServiceAccounts): Route[] => [
  handle(listServiceAccounts, (scope, { params }) => accounts.list(scope, params.group_id)),
  handle(createServiceAccount, (scope, { params, body }) => accounts.create(scope, params.group_id, body)),
  handle(updateServiceAccount, (scope, { params, body }) =>
    accounts.update(scope, params.group_id, params.service_account_id, body),
  ),
  handle(deleteServiceAccount, async (scope, { params }) => {
    await accounts.remove(scope, params.group_id, params.service_account_id);
    return done;
  }),
];
