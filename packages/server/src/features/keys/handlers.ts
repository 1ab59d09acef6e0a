import {
  createApiKey,
  getOwnApiKey,
  listAllApiKeys,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
  updateApiKey,
} from '@atrium/contract/keys/operations.ts';
import { done } from '@atrium/contract/page.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { Keys } from './service.ts';

export const keyRoutes = (keys: Keys): Route[] => [
  handle(getOwnApiKey, (scope) => keys.me(scope)),
  handle(listApiKeys, (scope, { params }) => keys.list(scope, params.group_id)),
  handle(listAllApiKeys, (scope, { query }) => keys.listAll(scope, query)),
  handle(createApiKey, (scope, { params, body }) => keys.create(scope, params.group_id, body)),
  handle(updateApiKey, (scope, { params, body }) => keys.update(scope, params.group_id, params.api_key_id, body)),
  handle(revokeApiKey, async (scope, { params }) => {
    await keys.revoke(scope, params.group_id, params.api_key_id);
    return done;
  }),
  handle(rotateApiKey, (scope, { params, body }) =>
    keys.rotate(scope, params.group_id, params.api_key_id, body.overlap_seconds),
  ),
];
