import * as z from 'zod';
import { type Operation, operation } from '../operation.ts';
import { scimRoutes as routes } from './routes.ts';
import {
  resourceTypeParams,
  schemaParams,
  scimDescription,
  scimGroup,
  scimGroupInput,
  scimGroupParams,
  scimList,
  scimListQuery,
  scimPatch,
  scimQuery,
  scimUser,
  scimUserInput,
  scimUserParams,
} from './schema.ts';
import { groupUrn, patchUrn, userUrn } from './urns.ts';

/** What all operations of the protocol share: an own kind of token, and answers and errors in the shapes of SCIM. */
const shared = {
  tag: 'SCIM',
  permission: 'scim',
  error_format: 'scim',
  idempotency: 'none',
} as const satisfies Partial<Operation>;

export const getScimConfig = operation({
  ...shared,
  id: 'scim.getConfig',
  route: routes['scim.getConfig'],
  summary: 'SCIM: what the server can do',
  description: 'Says which parts of SCIM 2.0 there are: PATCH and filters, no bulk, sorting or passwords.',
  answer: scimDescription,
});

export const listScimResourceTypes = operation({
  ...shared,
  id: 'scim.listResourceTypes',
  route: routes['scim.listResourceTypes'],
  summary: 'SCIM: the kinds of resources',
  description: 'Returns the kinds of resources: users and groups.',
  answer: scimList(scimDescription),
});

export const getScimResourceType = operation({
  ...shared,
  id: 'scim.getResourceType',
  route: routes['scim.getResourceType'],
  summary: 'SCIM: one kind of resources',
  description: 'Returns one kind of resources by its name.',
  params: resourceTypeParams,
  answer: scimDescription,
});

export const listScimSchemas = operation({
  ...shared,
  id: 'scim.listSchemas',
  route: routes['scim.listSchemas'],
  summary: 'SCIM: the attributes of users and groups',
  description: 'Returns the schemas with the attributes that are stored. Others may be sent and are not stored.',
  answer: scimList(scimDescription),
});

export const getScimSchema = operation({
  ...shared,
  id: 'scim.getSchema',
  route: routes['scim.getSchema'],
  summary: 'SCIM: one schema',
  description: 'Returns one schema by its URN, with the attributes that are stored.',
  params: schemaParams,
  answer: scimDescription,
});

export const listScimUsers = operation({
  ...shared,
  id: 'scim.listUsers',
  route: routes['scim.listUsers'],
  summary: 'SCIM: list users',
  description:
    'Returns the people that SCIM has made or taken over. Filters: `userName`, `externalId`, `emails.value`, `id` and `active` with `eq`, joined with `and`.',
  query: scimListQuery,
  answer: scimList(scimUser),
});

export const createScimUser = operation({
  ...shared,
  id: 'scim.createUser',
  route: routes['scim.createUser'],
  summary: 'SCIM: create a user',
  description:
    'Makes an account without a password and without permissions; those come by groups. An address that has an account is 409 `uniqueness`, unless the token adopts accounts.',
  status: 201,
  query: scimQuery,
  body: scimUserInput,
  example: {
    schemas: [userUrn],
    userName: 'scim-example@example.com',
    externalId: '7',
    name: { givenName: 'Ada', familyName: 'Byron' },
    emails: [{ value: 'scim-example@example.com', type: 'work', primary: true }],
    active: true,
  },
  answer: scimUser,
});

export const getScimUser = operation({
  ...shared,
  id: 'scim.getUser',
  route: routes['scim.getUser'],
  summary: 'SCIM: get a user',
  description: 'Returns one person that SCIM has made or taken over.',
  params: scimUserParams,
  query: scimQuery,
  answer: scimUser,
});

export const replaceScimUser = operation({
  ...shared,
  id: 'scim.replaceUser',
  route: routes['scim.replaceUser'],
  summary: 'SCIM: replace a user',
  description:
    'Sets all attributes. With `active: false` or a new address the sessions of the person end, and a new address is told to the old and the new one by mail. The last administrator of the organization cannot be deactivated, and the address of an administrator of the organization cannot be changed. A token that adopts changes no administrator, also of a workspace (403).',
  params: scimUserParams,
  query: scimQuery,
  body: scimUserInput,
  example: { schemas: [userUrn], userName: 'scim-replaced@example.com', displayName: 'Ada Byron', active: true },
  answer: scimUser,
});

export const patchScimUser = operation({
  ...shared,
  id: 'scim.patchUser',
  route: routes['scim.patchUser'],
  summary: 'SCIM: change attributes of a user',
  description:
    'Makes several changes, all or none, in the forms that directories send, with paths and without. The rules of a replacement hold.',
  params: scimUserParams,
  query: scimQuery,
  body: scimPatch,
  example: { schemas: [patchUrn], Operations: [{ op: 'Replace', path: 'active', value: 'False' }] },
  answer: scimUser,
});

export const deleteScimUser = operation({
  ...shared,
  id: 'scim.deleteUser',
  route: routes['scim.deleteUser'],
  summary: 'SCIM: delete a user',
  description:
    'Deactivates the account, takes the person out of the groups that SCIM has made, and forgets that SCIM has made it. What the person made stays theirs.',
  status: 204,
  params: scimUserParams,
  answer: z.null(),
});

export const listScimGroups = operation({
  ...shared,
  id: 'scim.listGroups',
  route: routes['scim.listGroups'],
  summary: 'SCIM: list groups',
  description:
    'Returns the user groups that SCIM has made or taken over. Filters: `displayName`, `externalId`, `id` and `members.value` with `eq`, joined with `and`.',
  query: scimListQuery,
  answer: scimList(scimGroup),
});

export const createScimGroup = operation({
  ...shared,
  id: 'scim.createGroup',
  route: routes['scim.createGroup'],
  summary: 'SCIM: create a group',
  description:
    'Makes a user group. It has permissions only when an administrator gives it a role in a workspace. A name that is taken is 409 `uniqueness`, unless the token adopts groups.',
  status: 201,
  query: scimQuery,
  body: scimGroupInput,
  example: {
    schemas: [groupUrn],
    displayName: 'SCIM example',
    members: [{ value: '0190a000-0000-7000-8000-000000000001' }],
  },
  answer: scimGroup,
});

export const getScimGroup = operation({
  ...shared,
  id: 'scim.getGroup',
  route: routes['scim.getGroup'],
  summary: 'SCIM: get a group',
  description: 'Returns one user group that SCIM has made or taken over.',
  params: scimGroupParams,
  query: scimQuery,
  answer: scimGroup,
});

export const replaceScimGroup = operation({
  ...shared,
  id: 'scim.replaceGroup',
  route: routes['scim.replaceGroup'],
  summary: 'SCIM: replace a group',
  description:
    'Sets the name and all people of the group that SCIM has made. Others who were put into it by hand stay.',
  params: scimGroupParams,
  query: scimQuery,
  body: scimGroupInput,
  example: {
    schemas: [groupUrn],
    displayName: 'SCIM replaced',
    members: [{ value: '0190a000-0000-7000-8000-000000000001' }],
  },
  answer: scimGroup,
});

export const patchScimGroup = operation({
  ...shared,
  id: 'scim.patchGroup',
  route: routes['scim.patchGroup'],
  summary: 'SCIM: change a group and its people',
  description: 'Makes several changes, all or none. People are removed with `members[value eq "…"]` or by a list.',
  params: scimGroupParams,
  query: scimQuery,
  body: scimPatch,
  example: { schemas: [patchUrn], Operations: [{ op: 'replace', path: 'displayName', value: 'SCIM renamed' }] },
  answer: scimGroup,
});

export const deleteScimGroup = operation({
  ...shared,
  id: 'scim.deleteGroup',
  route: routes['scim.deleteGroup'],
  summary: 'SCIM: delete a group',
  description: 'Deletes the user group and takes what its people had by it. The accounts stay.',
  status: 204,
  params: scimGroupParams,
  answer: z.null(),
});

export const scimOperations = [
  ...[getScimConfig, listScimResourceTypes, getScimResourceType, listScimSchemas, getScimSchema],
  ...[listScimUsers, createScimUser, getScimUser, replaceScimUser, patchScimUser, deleteScimUser],
  ...[listScimGroups, createScimGroup, getScimGroup, replaceScimGroup, patchScimGroup, deleteScimGroup],
];
