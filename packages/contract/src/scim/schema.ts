import * as z from 'zod';
import { createdAt } from '../fields.ts';
import * as s from '../schema/schema.ts';

export const scimToken = z
  .strictObject({
    id: z.guid().describe('The id of the token.'),
    name: z.string().describe('The name of the token.'),
    adopts: z
      .boolean()
      .describe('Whether creating a user or group takes over an account or user group of the same address or name.'),
    value: z.string().describe('The whole token in the answer that creates it; afterwards only its first characters.'),
    last_used_at: z.iso.datetime().nullable().describe('When a request last used the token. Null: not yet.'),
    created_at: createdAt,
  })
  .meta({ id: 'ScimToken' });

export const scimTokenCreate = s
  .object({
    name: s.str({ min: 1, max: 200 }).describe('The name of the token, such as that of the directory.'),
    adopts: s
      .withDefault(s.bool(), false)
      .describe(
        'Whether creating a user or group takes over an account with the same mail address, or a user group with the same name, that was not made by SCIM. Otherwise that is refused. Such a token takes over and changes no administrator, of the organization or of a workspace.',
      ),
  })
  .meta({ id: 'ScimTokenCreate' });
export const scimTokenParams = s.object({
  scim_token_id: s.uuid('scim_token').describe('The id of the SCIM token.'),
});

const schemas = z.array(z.string()).describe('The URNs of the schemas of this resource.');
const meta = z
  .strictObject({
    resourceType: z.string().describe('The kind of the resource.'),
    created: z.iso.datetime().optional().describe('When it was created.'),
    lastModified: z.iso.datetime().optional().describe('When it was last changed.'),
    location: z.string().describe('The path of the resource.'),
  })
  .describe('Facts about the resource.');

export const scimUser = z
  .strictObject({
    schemas,
    id: z.string().describe('The id of the person.'),
    externalId: z.string().optional().describe('The id that the directory gave.'),
    userName: z.string().optional().describe('The name that the directory knows the person by.'),
    displayName: z.string().optional().describe('The name that others see.'),
    name: z
      .strictObject({
        formatted: z.string().optional().describe('The whole name.'),
        givenName: z.string().optional().describe('The given name.'),
        familyName: z.string().optional().describe('The family name.'),
      })
      .optional()
      .describe('The name in parts.'),
    emails: z
      .array(
        z.strictObject({
          value: z.string().describe('The address.'),
          type: z.string().describe('Always work.'),
          primary: z.boolean().describe('Always true.'),
        }),
      )
      .optional()
      .describe('The one mail address, which the person signs in with.'),
    active: z.boolean().optional().describe('Whether the person may sign in.'),
    groups: z
      .array(
        z.strictObject({
          value: z.string().describe('The id of the group.'),
          display: z.string().describe('The name of the group.'),
        }),
      )
      .optional()
      .describe('The groups made by SCIM that the person is in.'),
    meta: meta.optional(),
  })
  .meta({ id: 'ScimUser' });

export const scimGroup = z
  .strictObject({
    schemas,
    id: z.string().describe('The id of the user group.'),
    externalId: z.string().optional().describe('The id that the directory gave.'),
    displayName: z.string().optional().describe('The name of the group.'),
    members: z
      .array(
        z.strictObject({
          value: z.string().describe('The id of the person.'),
          display: z.string().describe('The name of the person.'),
          type: z.literal('User').describe('Always User: groups are not nested.'),
        }),
      )
      .optional()
      .describe('The people of the group that SCIM has made.'),
    meta: meta.optional(),
  })
  .meta({ id: 'ScimGroup' });

export const scimList = <S extends z.ZodType>(item: S) =>
  z.strictObject({
    schemas,
    totalResults: z.int().describe('How many resources match.'),
    startIndex: z.int().describe('The number of the first resource here; the first of all is 1.'),
    itemsPerPage: z.int().describe('How many resources are here.'),
    Resources: z.array(item).describe('The resources.'),
  });

export const scimError = z.strictObject({
  schemas,
  status: z.string().describe('The status of the answer.'),
  scimType: z.string().optional().describe('The kind of error, as SCIM names it.'),
  detail: z.string().describe('What happened.'),
});

const attributeNames = {
  attributes: s.optional(s.str({ max: 2000 })).describe('Only these attributes, with commas between.'),
  excludedAttributes: s.optional(s.str({ max: 2000 })).describe('Not these attributes, with commas between.'),
};
export const scimQuery = s.query(attributeNames);
export const scimListQuery = s.query({
  filter: s
    .optional(s.str({ max: 2000 }))
    .describe('`attribute eq "value"`, several joined with `and`. Other operators are refused.'),
  startIndex: s.withDefault(s.int(), 1).describe('The number of the first resource to return; the first of all is 1.'),
  count: s.withDefault(s.int(), 100).describe('The most resources to return; at most 200.'),
  ...attributeNames,
});

export const scimUserParams = s.object({ scim_user_id: s.uuid('scim_user').describe('The id of the person.') });
export const scimGroupParams = s.object({ scim_group_id: s.uuid('scim_group').describe('The id of the group.') });

const short = (max = 500) => s.optional(s.str({ max }));
const sentSchemas = s.optional(s.list(s.str({ max: 300 }), { max: 20 })).describe('The URNs of the schemas.');
/** Directories send more attributes than a person has here; those are not stored, as /Schemas says. */
export const scimUserInput = s
  .query({
    schemas: sentSchemas,
    userName: s.str({ min: 1, max: 254 }).describe('The name that the directory knows the person by; unique.'),
    externalId: short().describe('The id that the directory gives.'),
    displayName: short().describe('The name that others see. Otherwise it is made of `name`.'),
    name: s
      .optional(
        s.query({
          formatted: short().describe('The whole name.'),
          givenName: short().describe('The given name.'),
          familyName: short().describe('The family name.'),
        }),
      )
      .describe('The name in parts.'),
    emails: s
      .optional(
        s.list(
          s.query({
            value: short(254).describe('The address.'),
            type: short(50).describe('The kind of address, such as work.'),
            primary: s.optional(s.bool()).describe('Whether it is the main address.'),
          }),
          { max: 50 },
        ),
      )
      .describe(
        'The primary address, or one of type work, or the first is the one to sign in with; else `userName` is.',
      ),
    active: s.optional(s.bool()).describe('False refuses the person; true unless given.'),
  })
  .meta({ id: 'ScimUserInput' });

export const scimGroupInput = s
  .query({
    schemas: sentSchemas,
    displayName: s.str({ min: 1, max: 200 }).describe('The name of the group; unique.'),
    externalId: short().describe('The id that the directory gives.'),
    members: s
      .optional(s.list(s.query({ value: s.uuid('scim_user').describe('The id of a person that SCIM has made.') })))
      .describe('The people of the group.'),
  })
  .meta({ id: 'ScimGroupInput' });

export const scimPatch = s
  .query({
    schemas: sentSchemas,
    Operations: s
      .list(
        s.query({
          op: s.str({ max: 20 }).describe('`add`, `replace` or `remove`, in upper or lower case.'),
          path: short(500).describe('The attribute to change; without it, `value` is an object of attributes.'),
          value: z.unknown().optional().describe('The new value.'),
        }),
        { min: 1, max: 1000 },
      )
      .describe('The changes, made in this order; all of them or none.'),
  })
  .meta({ id: 'ScimPatch' });

export const scimDescription = z
  .looseObject({ schemas, meta: meta.optional() })
  .describe('A description of what the server can do, as RFC 7643 defines it.')
  .meta({ id: 'ScimDescription' });

export const resourceTypeParams = s.object({
  resource_type: s.str({ max: 100 }).describe('`User` or `Group`.'),
});
export const schemaParams = s.object({ schema_urn: s.str({ max: 300 }).describe('The URN of the schema.') });

export type ScimToken = z.output<typeof scimToken>;
export type ScimTokenCreate = z.output<typeof scimTokenCreate>;
export type ScimUser = z.output<typeof scimUser>;
export type ScimGroup = z.output<typeof scimGroup>;
export type ScimUserInput = z.output<typeof scimUserInput>;
export type ScimGroupInput = z.output<typeof scimGroupInput>;
export type ScimPatch = z.output<typeof scimPatch>;
export type ScimListQuery = z.output<typeof scimListQuery>;
export type ScimQuery = z.output<typeof scimQuery>;
export type ScimDescription = z.output<typeof scimDescription>;
export interface ScimList<T> {
  schemas: string[];
  totalResults: number;
  startIndex: number;
  itemsPerPage: number;
  Resources: T[];
}
