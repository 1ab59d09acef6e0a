import {
  createProvider,
  deleteProvider,
  getProvider,
  listProviderHealth,
  listProviders,
  testProvider,
  tryProvider,
  updateProvider,
} from '@atrium/contract/models/provider-operations.ts';
import { done } from '@atrium/contract/page.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Providers } from './providers-service.ts';

export const providerRoutes = (providers: Providers): Route[] => [
  handle(listProviders, (scope) => providers.list(scope)),
  handle(listProviderHealth, (scope) => providers.health(scope)),
  handle(createProvider, (scope, { body }) => providers.create(scope, body)),
  handle(getProvider, (scope, { params }) => providers.get(scope, params.provider_id)),
  handle(updateProvider, (scope, { params, body }) => providers.update(scope, params.provider_id, body)),
  handle(deleteProvider, async (scope, { params }) => {
    await providers.remove(scope, params.provider_id);
    return done;
  }),
  handle(tryProvider, (scope, { body }) => providers.tryOut(scope, body)),
  handle(testProvider, (scope, { params }) => providers.test(scope, params.provider_id)),
];
