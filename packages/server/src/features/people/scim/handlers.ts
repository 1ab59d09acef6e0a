import { done } from '@atrium/contract/page.ts';
import {
  createScimGroup,
  createScimUser,
  deleteScimGroup,
  deleteScimUser,
  getScimConfig,
  getScimGroup,
  getScimResourceType,
  getScimSchema,
  getScimUser,
  listScimGroups,
  listScimResourceTypes,
  listScimSchemas,
  listScimUsers,
  patchScimGroup,
  patchScimUser,
  replaceScimGroup,
  replaceScimUser,
} from '@atrium/contract/scim/operations.ts';
import { createScimToken, listScimTokens, revokeScimToken } from '@atrium/contract/scim/token-operations.ts';
import { scimMediaType } from '@atrium/contract/scim/urns.ts';
import { RawAnswer } from '../../../lib/responses/raw-answer.ts';
import { handle, type Route } from '../../../lib/route.ts';
import { findDescription, resourceTypes, schemas, serviceProviderConfig } from './descriptions.ts';
import type { ScimGroups } from './groups.ts';
import { listOf } from './shape.ts';
import type { ScimTokens } from './tokens.ts';
import type { ScimUsers } from './users.ts';

const contentType = { 'content-type': `${scimMediaType}; charset=utf-8` };
const answer = (resource: unknown) => new RawAnswer(JSON.stringify(resource), contentType);
const created = (resource: { meta?: { location: string } | undefined; id: string }, path: string) =>
  new RawAnswer(JSON.stringify(resource), { ...contentType, location: `${path}/${resource.id}` }, 201);
const removed = () => new RawAnswer('', {}, 204);

export const scimRoutes = (parts: { tokens: ScimTokens; users: ScimUsers; groups: ScimGroups }): Route[] => {
  const { tokens, users, groups } = parts;
  return [
    handle(listScimTokens, (scope) => tokens.list(scope)),
    handle(createScimToken, (scope, { body }) => tokens.create(scope, body)),
    handle(revokeScimToken, async (scope, { params }) => {
      await tokens.revoke(scope, params.scim_token_id);
      return done;
    }),
    handle(getScimConfig, () => answer(serviceProviderConfig)),
    handle(listScimResourceTypes, () => answer(listOf([...resourceTypes], resourceTypes.length))),
    handle(getScimResourceType, (_, { params }) =>
      answer(findDescription(resourceTypes, params.resource_type, 'resource type')),
    ),
    handle(listScimSchemas, () => answer(listOf([...schemas], schemas.length))),
    handle(getScimSchema, (_, { params }) => answer(findDescription(schemas, params.schema_urn, 'schema'))),
    handle(listScimUsers, async (scope, { query }) => answer(await users.list(scope, query))),
    handle(createScimUser, async (scope, { body, query }) =>
      created(await users.create(scope, body, query), '/scim/v2/Users'),
    ),
    handle(getScimUser, async (scope, { params, query }) => answer(await users.get(scope, params.scim_user_id, query))),
    handle(replaceScimUser, async (scope, { params, body, query }) =>
      answer(await users.replace(scope, params.scim_user_id, body, query)),
    ),
    handle(patchScimUser, async (scope, { params, body, query }) =>
      answer(await users.patch(scope, params.scim_user_id, body, query)),
    ),
    handle(deleteScimUser, async (scope, { params }) => {
      await users.remove(scope, params.scim_user_id);
      return removed();
    }),
    handle(listScimGroups, async (scope, { query }) => answer(await groups.list(scope, query))),
    handle(createScimGroup, async (scope, { body, query }) =>
      created(await groups.create(scope, body, query), '/scim/v2/Groups'),
    ),
    handle(getScimGroup, async (scope, { params, query }) =>
      answer(await groups.get(scope, params.scim_group_id, query)),
    ),
    handle(replaceScimGroup, async (scope, { params, body, query }) =>
      answer(await groups.replace(scope, params.scim_group_id, body, query)),
    ),
    handle(patchScimGroup, async (scope, { params, body, query }) =>
      answer(await groups.patch(scope, params.scim_group_id, body, query)),
    ),
    handle(deleteScimGroup, async (scope, { params }) => {
      await groups.remove(scope, params.scim_group_id);
      return removed();
    }),
  ];
};
