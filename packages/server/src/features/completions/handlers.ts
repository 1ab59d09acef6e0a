import { createCompletion, getCompletionModel, listCompletionModels } from '@atrium/contract/completions/operations.ts';
import { handle, type Route } from '../../lib/route.ts';
import type { AgentModels } from './agent-models.ts';
import type { Completions } from './service.ts';

/** The chat completions protocol: statuses as everywhere, error bodies of the protocol. */
export const completionRoutes = (completions: Completions, models: AgentModels): Route[] => [
  handle(createCompletion, (scope, { body }) => completions.create(scope, body)),
  handle(listCompletionModels, (scope) => models.list(scope)),
  handle(getCompletionModel, (scope, { params }) => models.get(scope, params.model)),
];
