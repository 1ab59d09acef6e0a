import { defineRoute, type Route } from '../../lib/route.ts';
import type { AgentModels } from './agent-models.ts';
import { agentAsModel, completion, completionRequest, modelList, modelParams } from './schema.ts';
import type { Completions } from './service.ts';

const shared = { tag: 'Chat completions', permission: 'agents_run' as const, errors: 'openai' as const };

/** Agents for clients that speak the chat completions protocol: same statuses as everywhere, errors in its own body. */
export const completionRoutes = (completions: Completions, models: AgentModels): Route[] => [
  defineRoute({
    ...shared,
    route: 'POST /v1/chat/completions',
    summary: 'Have an agent answer in the chat completions protocol',
    body: completionRequest,
    body_limit: 40 * 1024 * 1024,
    // A stream can't be stored: the run keeps the key, and a repeated request is joined to it.
    idempotency: 'own',
    example: { model: 'agent:Support', messages: [{ role: 'user', content: 'Where is my order 1042?' }] },
    answer: completion,
    handler: (scope, { body }) => completions.create(scope, body),
  }),
  defineRoute({
    ...shared,
    route: 'GET /v1/models',
    summary: 'List the agents that chat completions can be asked of',
    answer: modelList,
    handler: (scope) => models.list(scope),
  }),
  defineRoute({
    ...shared,
    route: 'GET /v1/models/{model}',
    summary: 'Get an agent as a model of chat completions',
    params: modelParams,
    answer: agentAsModel,
    handler: (scope, { params }) => models.get(scope, params.model),
  }),
];
