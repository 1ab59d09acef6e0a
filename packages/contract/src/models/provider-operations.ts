import { z } from 'zod';
import { operation } from '../operation.ts';
import { success } from '../page.ts';
import { modelsRoutes } from './routes.ts';
import { provider, providerCreate, providerParams, providerPatch, providerTest } from './schema.ts';

const tag = 'Models';

export const listProviders = operation({
  id: 'providers.list',
  route: modelsRoutes['providers.list'],
  summary: 'List the providers of models; their keys are masked',
  tag,
  permission: 'settings_read',
  answer: z.array(provider),
});

export const createProvider = operation({
  id: 'providers.create',
  route: modelsRoutes['providers.create'],
  summary: 'Add a provider of models',
  tag,
  permission: 'settings_write',
  body: providerCreate,
  example: { provider: 'openai-compatible', name: 'ollama', base_urls: ['http://127.0.0.1:11434/v1'] },
  answer: provider,
});

export const getProvider = operation({
  id: 'providers.get',
  route: modelsRoutes['providers.get'],
  summary: 'Get a provider of models',
  tag,
  permission: 'settings_read',
  params: providerParams,
  answer: provider,
});

export const updateProvider = operation({
  id: 'providers.update',
  route: modelsRoutes['providers.update'],
  summary: 'Update a provider of models; a key that is left out stays, but another address needs it again',
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
  summary: 'Remove a provider of models',
  tag,
  permission: 'settings_write',
  params: providerParams,
  answer: success,
});

export const testProvider = operation({
  id: 'providers.test',
  route: modelsRoutes['providers.test'],
  summary: 'Ask every address of a provider whether it answers',
  tag,
  permission: 'settings_write',
  params: providerParams,
  answer: providerTest,
});

export const providerOperations = [
  listProviders,
  createProvider,
  getProvider,
  updateProvider,
  deleteProvider,
  testProvider,
];
