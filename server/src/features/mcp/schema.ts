import { z } from 'zod';
import { pageFields } from '../../lib/page.ts';
import * as s from '../../lib/schema/schema.ts';

const grants = ['client_credentials', 'refresh_token'] as const;
const covered = z.literal('********').nullable();

export const mcpToolState = z
  .strictObject({
    name: z.string(),
    /** `changed`: it is not what it was when it was first seen, and is refused until that is accepted. */
    state: z.enum(['accepted', 'changed']),
    first_seen_at: z.iso.datetime(),
    changed_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'McpToolState' });

/** A server that agents use. Of its secrets only whether they are there. */
export const mcpServer = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    url: z.string(),
    grant_type: z.enum(grants).nullable(),
    token_url: z.string().nullable(),
    client_id: z.string().nullable(),
    scope: z.string().nullable(),
    client_secret: covered,
    refresh_token: covered,
    token_expires_at: z.iso.datetime().nullable(),
    last_error: z.string().nullable(),
    tools: z.array(mcpToolState),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'McpServer' });

const secret = s.str({ min: 1, max: 8000, secret: true });
const address = s.str({ max: 2000, pattern: /^https?:\/\/[^\s@#]+$/ });
const login = {
  grant_type: s.optional(s.oneOf(grants)),
  token_url: s.optional(address),
  client_id: s.optional(s.str({ min: 1, max: 500 })),
  client_secret: s.optional(secret),
  refresh_token: s.optional(secret),
  scope: s.optional(s.str({ min: 1, max: 2000 })),
};

export const mcpServerCreate = s.object({ url: address, ...login }).meta({ id: 'McpServerCreate' });
export const mcpServerPatch = s.object(login).meta({ id: 'McpServerPatch' });
export const mcpAccept = s
  .object({ tools: s.optional(s.list(s.str({ min: 1, max: 200 }), { max: 1000 })) })
  .meta({ id: 'McpAccept' });
export const mcpServerParams = s.object({ mcp_server_id: s.uuid('mcp_server') });
export const mcpServerQuery = s.query(pageFields);

export type McpServer = z.output<typeof mcpServer>;
export type McpServerCreate = z.output<typeof mcpServerCreate>;
export type McpServerPatch = z.output<typeof mcpServerPatch>;
export type McpToolState = z.output<typeof mcpToolState>;
