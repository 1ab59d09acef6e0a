import * as z from 'zod';
import { operation } from '../operation.ts';
import { success } from '../page.ts';
import { modelsRoutes } from './routes.ts';
import { provider, providerCreate, providerHealth, providerParams, providerPatch, providerTest } from './schema.ts';

const tag = 'Models';

export const listProviders = operation({
  id: 'providers.list',
  route: modelsRoutes['providers.list'],
  summary: 'List the model providers, with masked keys',
  description:
    'Returns the providers of the organisation: those that the environment of the server configures and those that administrators added. It is one array without pages: there are few. Of keys only the last characters are shown.',
  tag,
  permission: 'settings_read',
  answer: z.array(provider),
});

export const createProvider = operation({
  id: 'providers.create',
  route: modelsRoutes['providers.create'],
  summary: 'Add a model provider',
  description:
    'Adds a provider, whose models agents can use at once. Keys are stored encrypted and never returned. A private address needs a key with `org:admin`, or an entry of the operator in ATRIUM_PROVIDER_ALLOW. A provider with the name of one from the environment replaces it.',
  tag,
  permission: 'settings_write',
  body: providerCreate,
  example: { provider: 'openai-compatible', name: 'ollama', base_urls: ['http://127.0.0.1:11434/v1'] },
  answer: provider,
});

export const listProviderHealth = operation({
  id: 'providers.health',
  route: modelsRoutes['providers.health'],
  summary: 'Get how each model provider has answered lately',
  description:
    'Returns for each provider of `GET /v1/admin/providers`, in its order, whether its models answer, how fast, and how many of the calls of the last 24 hours it took, over all workspaces of the organization. The figures come from calls that were made: nothing is sent to a provider.',
  tag,
  permission: 'settings_read',
  answer: z.array(providerHealth),
});

export const getProvider = operation({
  id: 'providers.get',
  route: modelsRoutes['providers.get'],
  summary: 'Get a model provider',
  description: 'Returns one provider. Of its keys only the last characters are shown.',
  tag,
  permission: 'settings_read',
  params: providerParams,
  answer: provider,
});

export const updateProvider = operation({
  id: 'providers.update',
  route: modelsRoutes['providers.update'],
  summary: 'Update a model provider; another address needs its keys again',
  description:
    'Changes the given fields and keeps the others. A key that is left out, null or its own mask stays. To send requests to another address, give the keys again. A provider of the environment can not be changed here (409).',
  tag,
  permission: 'settings_write',
  params: providerParams,
  body: providerPatch,
  example: { models: ['llama3.3', 'qwen3'] },
  answer: provider,
});

export const deleteProvider = operation({
  id: 'providers.delete',
  route: modelsRoutes['providers.delete'],
  summary: 'Remove a model provider',
  description:
    'Removes a provider and its keys. Runs that name its models fail from then on, or use the next model of their list. A provider of the environment can not be removed here (409).',
  tag,
  permission: 'settings_write',
  params: providerParams,
  answer: success,
});

export const testProvider = operation({
  id: 'providers.test',
  route: modelsRoutes['providers.test'],
  summary: 'Test every address of a model provider',
  description:
    'Asks every address of the provider for its list of models, the cheapest request that needs a valid key, and reports how each of them answered. An address that fails is part of the answer, not an error.',
  tag,
  permission: 'settings_write',
  audit: { none: 'it tries what is configured and changes nothing' },
  params: providerParams,
  answer: providerTest,
});

export const tryProvider = operation({
  id: 'providers.try',
  route: modelsRoutes['providers.try'],
  summary: 'Test a model provider before it is stored',
  description:
    'Takes what the creation of a provider takes, asks every address for its list of models and reports how each of them answered; nothing is stored, and keys are never part of the answer. A private address needs a key with `org:admin`, or an entry of the operator in ATRIUM_PROVIDER_ALLOW. An address that fails is part of the answer, not an error.',
  tag,
  permission: 'settings_write',
  audit: { none: 'it tries an address and changes nothing' },
  idempotency: 'none',
  body: providerCreate,
  example: { provider: 'openai-compatible', base_urls: ['http://127.0.0.1:11434/v1'] },
  answer: providerTest,
});

export const providerOperations = [
  listProviders,
  listProviderHealth,
  createProvider,
  getProvider,
  updateProvider,
  deleteProvider,
  testProvider,
  tryProvider,
];
