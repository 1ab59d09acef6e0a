import * as z from 'zod';
import { operation } from '../operation.ts';
import { noSuch } from '../operation-errors.ts';
import { success } from '../page.ts';
import { scimRoutes as routes } from './routes.ts';
import { scimToken, scimTokenCreate, scimTokenParams } from './schema.ts';

const tag = 'SCIM';
const permission = 'org:admin';

export const listScimTokens = operation({
  id: 'scimTokens.list',
  route: routes['scimTokens.list'],
  summary: 'List the SCIM tokens',
  description: 'Returns the tokens that directories use at `/scim/v2`, in one list without pages.',
  tag,
  permission,
  answer: z.array(scimToken),
});

export const createScimToken = operation({
  id: 'scimTokens.create',
  route: routes['scimTokens.create'],
  summary: 'Create a SCIM token; its value is shown once',
  description:
    'Makes a token that a directory sends as `Authorization: Bearer …` to `/scim/v2`. It works nowhere else, and API keys do not work there. Who has it can make, change and deactivate the people and groups that SCIM has made, and none but those.',
  tag,
  permission,
  body: scimTokenCreate,
  example: { name: 'Directory' },
  answer: scimToken,
});

export const revokeScimToken = operation({
  id: 'scimTokens.revoke',
  route: routes['scimTokens.revoke'],
  summary: 'Revoke a SCIM token',
  description: 'Makes the token useless at once. People and groups stay as they are.',
  tag,
  permission,
  params: scimTokenParams,
  errors: [noSuch('SCIM token')],
  answer: success,
});

export const scimTokenOperations = [listScimTokens, createScimToken, revokeScimToken];
