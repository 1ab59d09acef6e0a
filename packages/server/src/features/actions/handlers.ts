import { tryAction } from '@atrium/contract/agents/action-trial.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { TryAction } from './try-action.ts';

export const actionRoutes = (tryOnce: TryAction): Route[] => [
  handle(tryAction, (scope, { params, body }) => tryOnce(scope, params.agent_id, body)),
];
