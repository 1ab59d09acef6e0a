import { z } from 'zod';
import { pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';

const grants = ['client_credentials', 'refresh_token', 'authorization_code'] as const;
const covered = z.literal('********').nullable();

const toolStates = ['accepted', 'changed', 'new'] as const;

const toolState = {
  name: z.string(),
  /**
   * `changed`: it is not what was accepted. `new`: it was not there when the server was first met. Both are held back
   * until somebody accepts them.
   */
  state: z.enum(toolStates),
  first_seen_at: z.iso.datetime(),
  changed_at: z.iso.datetime().nullable(),
  accepted_at: z.iso.datetime().nullable(),
  /** Null where it was accepted by being there when the server was first met. */
  accepted_by: z.string().nullable(),
};

export const mcpToolState = z.strictObject(toolState).meta({ id: 'McpToolState' });

const definition = z
  .strictObject({
    digest: z.string(),
    description: z.string(),
    input_schema: z.record(z.string(), z.unknown()),
  })
  .nullable();

/** A tool with what it says of itself, for whoever decides about it. */
export const mcpTool = z.strictObject({ ...toolState, accepted: definition, held: definition }).meta({ id: 'McpTool' });

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
    /** The authorization server that a person has logged in at. */
    issuer: z.string().nullable(),
    client_secret: covered,
    refresh_token: covered,
    token_expires_at: z.iso.datetime().nullable(),
    last_error: z.string().nullable(),
    tools: z.array(mcpToolState),
    /** How many of its tools are held back. */
    held: z.int(),
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
const toolName = s.str({ min: 1, max: 200 });
export const mcpAccept = s
  .object({
    tools: s.optional(s.list(toolName, { max: 1000 })),
    /** By name, what was looked at; a tool that is another by now is not accepted. */
    digests: s.optional(s.dict()),
  })
  .meta({ id: 'McpAccept' });
export const mcpAuthorize = s.object({ scope: s.optional(s.str({ min: 1, max: 2000 })) }).meta({ id: 'McpAuthorize' });
export const mcpAuthorization = z
  .strictObject({
    /** A page of ours, to be opened in a browser by whoever is to log in. */
    authorization_url: z.string(),
    /** Where the browser comes back to; what an authorization server must know of us. */
    redirect_uri: z.string(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'McpAuthorization' });
const brought = s.optional(s.str({ max: 8000, secret: true }));
/** Known by its path as little as by its query: whoever comes here has no key. */
export const mcpCallbackParams = s.object({ mcp_server_id: s.str({ max: 100 }) });
export const mcpCallbackQuery = s.query({
  ...{ state: brought, code: brought, iss: brought, error: brought },
});
export const mcpLoginQuery = s.query({ ticket: brought });
export const mcpServerParams = s.object({ mcp_server_id: s.uuid('mcp_server') });
export const mcpServerQuery = s.query({ ...pageFields, held: s.optional(s.bool()) });
export const mcpToolQuery = s.query({ ...pageFields, state: s.optional(s.oneOf(toolStates)) });

export type McpServer = z.output<typeof mcpServer>;
export type McpServerCreate = z.output<typeof mcpServerCreate>;
export type McpServerPatch = z.output<typeof mcpServerPatch>;
export type McpToolState = z.output<typeof mcpToolState>;
export type McpTool = z.output<typeof mcpTool>;
export type McpAccept = z.output<typeof mcpAccept>;
export type McpServerQuery = z.output<typeof mcpServerQuery>;
export type McpToolQuery = z.output<typeof mcpToolQuery>;
export type McpAuthorize = z.output<typeof mcpAuthorize>;
export type McpAuthorization = z.output<typeof mcpAuthorization>;
export type McpCallbackQuery = z.output<typeof mcpCallbackQuery>;
