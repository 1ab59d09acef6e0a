import { operation } from '../operation.ts';
import { completionsRoutes } from './routes.ts';
import { agentAsModel, completion, completionRequest, modelList, modelParams } from './schema.ts';

const shared = { tag: 'Chat completions', permission: 'agents_run' as const, errors: 'openai' as const };

export const createCompletion = operation({
  id: 'completions.create',
  route: completionsRoutes['completions.create'],
  ...shared,
  summary: 'Have an agent answer in the chat completions protocol',
  body: completionRequest,
  body_limit: 40 * 1024 * 1024,
  idempotency: 'own',
  example: { model: 'agent:Support', messages: [{ role: 'user', content: 'Where is my order 1042?' }] },
  answer: completion,
});

export const listCompletionModels = operation({
  id: 'completions.listModels',
  route: completionsRoutes['completions.listModels'],
  ...shared,
  summary: 'List the agents that chat completions can be asked of',
  answer: modelList,
});

export const getCompletionModel = operation({
  id: 'completions.getModel',
  route: completionsRoutes['completions.getModel'],
  ...shared,
  summary: 'Get an agent as a model of chat completions',
  params: modelParams,
  answer: agentAsModel,
});

export const completionsOperations = [createCompletion, listCompletionModels, getCompletionModel];
