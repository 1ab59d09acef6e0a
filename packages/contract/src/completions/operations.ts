import { operation } from '../operation.ts';
import { embeddingList, embeddingRequest } from './embedding-schema.ts';
import { completionsRoutes } from './routes.ts';
import { agentAsModel, completion, completionRequest, modelList, modelParams } from './schema.ts';

const shared = { tag: 'Chat completions', permission: 'agents_run' as const, error_format: 'openai' as const };

export const createCompletion = operation({
  id: 'completions.create',
  route: completionsRoutes['completions.create'],
  audit: { none: 'messages are content' },
  ...shared,
  summary: 'Have an agent answer in the chat completions protocol',
  description:
    'Lets clients of the OpenAI chat completions protocol ask an agent; `model` names it. Each request becomes a conversation of its own, with the messages before the last as its history. Tools of the request are run by the client, tools of the agent by Atrium; with `stream` the answer comes as server-sent events.',
  body: completionRequest,
  body_limit: 40 * 1024 * 1024,
  idempotency: 'own',
  example: { model: 'agent:Support', messages: [{ role: 'user', content: 'Where is my order 1042?' }] },
  answer: completion,
});

export const createEmbeddings = operation({
  id: 'embeddings.create',
  route: completionsRoutes['embeddings.create'],
  audit: { none: 'it changes nothing' },
  ...shared,
  summary: 'Make vectors of texts in the embeddings protocol',
  description:
    'Lets clients of the OpenAI embeddings protocol use the embedding models of the configured providers. Personal data is replaced as knowledge bases do by default, so the vectors can be compared with theirs. Unknown models answer 404 with the code `model_not_found`, and 409 when there is no default model. The tokens count as usage of the key.',
  body: embeddingRequest,
  body_limit: 40 * 1024 * 1024,
  example: { model: 'default', input: ['Where is my order 1042?', 'How do I send something back?'] },
  answer: embeddingList,
});

export const listCompletionModels = operation({
  id: 'completions.listModels',
  route: completionsRoutes['completions.listModels'],
  ...shared,
  summary: 'List the agents as models',
  description:
    "Returns all agents of the workspace in the shape of the protocol's model list. It has no pages, since the protocol has none.",
  answer: modelList,
});

export const getCompletionModel = operation({
  id: 'completions.getModel',
  route: completionsRoutes['completions.getModel'],
  ...shared,
  summary: 'Get an agent as a model',
  description:
    "Returns one agent in the shape of the protocol's model. Unknown agents answer 404 with the code `model_not_found`, a name that several agents have 409.",
  params: modelParams,
  answer: agentAsModel,
});

export const completionsOperations = [createCompletion, createEmbeddings, listCompletionModels, getCompletionModel];
