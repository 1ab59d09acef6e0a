import { getWorkspaceLimits } from '@atrium/contract/workspaces/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { ReadLimits } from './read-limits.ts';

export const limitRoutes = (readLimits: ReadLimits): Route[] => [
  handle(getWorkspaceLimits, (scope, { params }) => readLimits(scope, params.group_id)),
];
