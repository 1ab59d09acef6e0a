import { z } from 'zod';
import { operation } from '../operation.ts';
import { success } from '../page.ts';
import { keysRoutes } from './routes.ts';
import { apiKey, apiKeyCreate, apiKeyParams, apiKeyRotate, groupParams, me } from './schema.ts';

const tag = 'API keys';

export const getOwnApiKey = operation({
  id: 'keys.getOwn',
  route: keysRoutes['keys.getOwn'],
  summary: 'Show the key that is asking',
  tag,
  permission: 'any',
  answer: me,
});

export const listApiKeys = operation({
  id: 'keys.list',
  route: keysRoutes['keys.list'],
  summary: 'List the API keys of a workspace',
  tag,
  permission: 'workspace_admin',
  params: groupParams,
  answer: z.array(apiKey),
});

export const createApiKey = operation({
  id: 'keys.create',
  route: keysRoutes['keys.create'],
  summary: 'Create an API key; its value is shown this once',
  tag,
  permission: 'workspace_admin',
  params: groupParams,
  body: apiKeyCreate,
  example: { name: 'Ticket system', permissions: ['agents_run'] },
  answer: apiKey,
});

export const revokeApiKey = operation({
  id: 'keys.revoke',
  route: keysRoutes['keys.revoke'],
  summary: 'Revoke an API key at once',
  tag,
  permission: 'workspace_admin',
  params: apiKeyParams,
  answer: success,
});

export const rotateApiKey = operation({
  id: 'keys.rotate',
  route: keysRoutes['keys.rotate'],
  summary: 'Replace an API key; the old one works on for the overlap',
  tag,
  permission: 'workspace_admin',
  params: apiKeyParams,
  body: apiKeyRotate,
  example: { overlap_seconds: 3600 },
  answer: apiKey,
});

export const keysOperations = [getOwnApiKey, listApiKeys, createApiKey, revokeApiKey, rotateApiKey];
