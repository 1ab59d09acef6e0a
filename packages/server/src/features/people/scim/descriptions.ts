import { notFound } from '@atrium/contract/errors.ts';
import type { ScimDescription } from '@atrium/contract/scim/schema.ts';
import { configUrn, groupUrn, resourceTypeUrn, schemaUrn, userUrn } from '@atrium/contract/scim/urns.ts';

const no = { supported: false };
export const serviceProviderConfig: ScimDescription = {
  ...{ schemas: [configUrn], patch: { supported: true }, filter: { supported: true, maxResults: 200 } },
  ...{ bulk: { ...no, maxOperations: 0, maxPayloadSize: 0 }, changePassword: no, sort: no, etag: no },
  authenticationSchemes: [
    {
      ...{ type: 'oauthbearertoken', name: 'SCIM token', primary: true },
      description: 'A token made with POST /v1/admin/scim-tokens, sent as Authorization: Bearer.',
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: '/scim/v2/ServiceProviderConfig' },
};

const resourceType = (name: 'User' | 'Group', schema: string): ScimDescription => ({
  ...{ schemas: [resourceTypeUrn], id: name, name, endpoint: `/${name}s`, schema, schemaExtensions: [] },
  meta: { resourceType: 'ResourceType', location: `/scim/v2/ResourceTypes/${name}` },
});
export const resourceTypes = [resourceType('User', userUrn), resourceType('Group', groupUrn)];

interface AttributeOptions {
  type?: string;
  required?: boolean;
  multiValued?: boolean;
  mutability?: 'readWrite' | 'readOnly';
  uniqueness?: 'none' | 'server';
  caseExact?: boolean;
  subAttributes?: unknown[];
}
const attribute = (name: string, description: string, options: AttributeOptions = {}) => ({
  ...{ name, description, type: 'string', multiValued: false, required: false, caseExact: false },
  ...{ mutability: 'readWrite', returned: 'default', uniqueness: 'none', ...options },
});

const schema = (id: string, name: string, attributes: unknown[]): ScimDescription => ({
  ...{ schemas: [schemaUrn], id, name, description: `The stored attributes of a ${name.toLowerCase()}.`, attributes },
  meta: { resourceType: 'Schema', location: `/scim/v2/Schemas/${id}` },
});
export const schemas = [
  schema(userUrn, 'User', [
    attribute('userName', 'The name in the directory.', { required: true, uniqueness: 'server' }),
    attribute('externalId', 'The id in the directory.', { caseExact: true }),
    attribute('displayName', 'The name that others see.'),
    attribute('name', 'The name in parts.', {
      type: 'complex',
      subAttributes: [
        attribute('formatted', 'The whole name.'),
        attribute('givenName', 'The given name.'),
        attribute('familyName', 'The family name.'),
      ],
    }),
    attribute('emails', 'The address to sign in with; one is stored.', {
      ...{ type: 'complex', multiValued: true },
      subAttributes: [
        attribute('value', 'The address.', { uniqueness: 'server' }),
        attribute('type', 'Always work.'),
        attribute('primary', 'Always true.', { type: 'boolean' }),
      ],
    }),
    attribute('active', 'Whether the person may sign in.', { type: 'boolean' }),
    attribute('groups', 'The groups of the person.', {
      ...{ type: 'complex', multiValued: true, mutability: 'readOnly' },
      subAttributes: [
        attribute('value', 'The id of the group.', { mutability: 'readOnly' }),
        attribute('display', 'The name of the group.', { mutability: 'readOnly' }),
      ],
    }),
  ]),
  schema(groupUrn, 'Group', [
    attribute('displayName', 'The name of the group.', { required: true, uniqueness: 'server' }),
    attribute('externalId', 'The id in the directory.', { caseExact: true }),
    attribute('members', 'The users of the group.', {
      ...{ type: 'complex', multiValued: true },
      subAttributes: [
        attribute('value', 'The id of the user.'),
        attribute('display', 'The name of the user.', { mutability: 'readOnly' }),
        attribute('type', 'Always User.', { mutability: 'readOnly' }),
      ],
    }),
  ]),
];

/** One description by its id. */
export function findDescription(list: readonly ScimDescription[], id: string, what: string): ScimDescription {
  const found = list.find((one) => one['id'] === id);
  if (!found) throw notFound(what);
  return found;
}
