import {
  createUnlockRequest,
  decideUnlockRequest,
  listUnlockRequests,
} from '@atrium/contract/agents/lock-operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { UnlockRequests } from './unlock-requests.ts';

export const unlockRequestRoutes = (requests: UnlockRequests): Route[] => [
  handle(listUnlockRequests, (scope, { params, query }) => requests.list(scope, params.agent_id, query)),
  handle(createUnlockRequest, (scope, { params, body }) => requests.create(scope, params.agent_id, body)),
  handle(decideUnlockRequest, (scope, { params, body }) =>
    requests.decide(scope, params.agent_id, params.request_id, body),
  ),
];
