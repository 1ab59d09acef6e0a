import * as z from 'zod';
import { actorField } from '../actor.ts';
import { createdAt, etag, groupId, updatedAt } from '../fields.ts';
import { namedList } from '../list-query.ts';
import { pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';

const grants = ['client_credentials', 'refresh_token', 'authorization_code'] as const;
const covered = z.literal('********').nullable();

const toolStates = ['accepted', 'changed', 'new'] as const;

const toolState = {
  name: z.string().describe('The name of the tool at its server.'),
  state: z
    .enum(toolStates)
    .describe(
      '`accepted`: agents can call the tool. `changed`: its definition differs from the accepted one. `new`: it appeared after the first connection. A changed or new tool is held back until a user accepts it.',
    ),
  first_seen_at: z.iso.datetime().describe('When the server first listed the tool (ISO 8601, UTC).'),
  changed_at: z.iso
    .datetime()
    .nullable()
    .describe('When the definition that is held back was seen. Null when none is held back.'),
  accepted_at: z.iso
    .datetime()
    .nullable()
    .describe('When the current definition was accepted. Null when none ever was.'),
  accepted_by: z
    .string()
    .nullable()
    .describe('The id of the person or key that accepted it. Null when it was accepted with the first connection.'),
  accepted_by_actor: actorField('Who accepted it.'),
};

export const mcpToolState = z.strictObject(toolState).meta({ id: 'McpToolState' });

const definition = z
  .strictObject({
    digest: z.string().describe('A hash of the definition, to send back when accepting exactly this one.'),
    description: z.string().describe('The description that a model would read.'),
    input_schema: z.record(z.string(), z.unknown()).describe("The JSON Schema of the tool's input."),
  })
  .nullable();

/** A tool with its definitions, for a user who decides whether to accept it. */
export const mcpTool = z
  .strictObject({
    ...toolState,
    accepted: definition.describe('The definition that agents use. Null when none was accepted yet.'),
    held: definition.describe('The definition that is held back. Null when none is.'),
  })
  .meta({ id: 'McpTool' });

/** A server that agents use. Secrets are masked: the answer shows only whether they are set. */
export const mcpServer = z
  .strictObject({
    id: z.guid().describe('The id of the MCP server.'),
    group_id: groupId,
    url: z
      .string()
      .describe('The address of the server. Credentials in it are masked for callers without `agents_edit`.'),
    grant_type: z.enum(grants).nullable().describe('How tokens are obtained. Null when the server has no login.'),
    token_url: z.string().nullable().describe('The token endpoint of the authorization server.'),
    client_id: z.string().nullable().describe('The client id that the authorization server knows Atrium by.'),
    scope: z.string().nullable().describe('The scopes that tokens are requested with, separated by spaces.'),
    issuer: z
      .string()
      .nullable()
      .describe('The authorization server that a user logged in at. Null when no user has logged in by a browser.'),
    client_secret: covered.describe('Eight asterisks when a client secret is stored; null otherwise.'),
    refresh_token: covered.describe('Eight asterisks when a refresh token is stored; null otherwise.'),
    token_expires_at: z.iso
      .datetime()
      .nullable()
      .describe('When the current access token expires. Null when there is none or its expiry is unknown.'),
    last_error: z.string().nullable().describe('Why the last attempt to get a token failed. Null after a success.'),
    tools: z.array(mcpToolState).describe('The tools that the server has listed, by name.'),
    held: z.int().describe('How many of the tools are held back.'),
    created_at: createdAt,
    updated_at: updatedAt,
    etag,
  })
  .meta({ id: 'McpServer' });

const secret = s.str({ min: 1, max: 8000, secret: true });
const address = s.str({ max: 2000, pattern: /^https?:\/\/[^\s@#]+$/ });
const login = {
  grant_type: s
    .optional(s.oneOf(grants))
    .describe(
      'How tokens are obtained: with the secret of a client, with a refresh token, or by a user who logs in with a browser.',
    ),
  token_url: s
    .optional(address)
    .describe('The token endpoint; needed for `client_credentials` and `refresh_token`. A browser login finds it.'),
  client_id: s
    .optional(s.str({ min: 1, max: 500 }))
    .describe('The client id; needed for `client_credentials` and `refresh_token`.'),
  client_secret: s.optional(secret).describe('The client secret; needed for `client_credentials`. Stored sealed.'),
  refresh_token: s.optional(secret).describe('The refresh token; needed for `refresh_token`. Stored sealed.'),
  scope: s
    .optional(s.str({ min: 1, max: 2000 }))
    .describe(
      'The scopes to request, separated by spaces. Unless given, a browser login requests those that the server asks for.',
    ),
};

export const mcpServerCreate = s
  .object({
    url: address.describe('The address of the MCP server, exactly as the settings of agents have it.'),
    ...login,
  })
  .meta({ id: 'McpServerCreate' });
export const mcpServerPatch = s.object(login).meta({ id: 'McpServerPatch' });
export const mcpTry = s
  .object({
    url: address.describe('The address of the MCP server. A login that is stored for exactly this address is used.'),
    headers: s
      .optional(z.record(z.string(), s.str({ max: 8000, secret: true })))
      .describe('HTTP headers of each request, by name; values are sent as they are, and templates are refused.'),
  })
  .meta({ id: 'McpTry' });

export const mcpTrial = z
  .strictObject({
    success: z.boolean().describe('Whether the server answered with its tools.'),
    ms: z.int().describe('How long it took, in milliseconds.'),
    code: z
      .string()
      .nullable()
      .describe('Why it failed, for programs: `unreachable`, `unauthorized`, `timeout`, … Null: it did not.'),
    message: z.string().describe('What happened, in one sentence.'),
    used_login: z.boolean().describe('Whether a stored login was used.'),
    tools: z
      .array(
        z.strictObject({
          name: z.string().describe('The name of the tool at its server.'),
          description: z.string().describe('The description that a model would read; it is not trusted.'),
          input_schema: z.record(z.string(), z.unknown()).describe("The JSON Schema of the tool's input."),
        }),
      )
      .describe('The tools that it listed, at most 1,000.'),
  })
  .meta({ id: 'McpTrial' });
const toolName = s.str({ min: 1, max: 200 });
export const mcpAccept = s
  .object({
    tools: s
      .optional(s.list(toolName, { max: 1000 }))
      .describe('The names of the tools to accept. Unless given: those in `digests`, or else all that are held back.'),
    digests: s
      .optional(s.dict())
      .describe('The digest of the definition that the user saw, by tool name; 409 when the tool has changed since.'),
  })
  .meta({ id: 'McpAccept' });
export const mcpAuthorize = s
  .object({
    scope: s
      .optional(s.str({ min: 1, max: 2000 }))
      .describe('The scopes to request; the stored ones, or those that the server asks for, unless given.'),
  })
  .meta({ id: 'McpAuthorize' });
export const mcpAuthorization = z
  .strictObject({
    authorization_url: z.string().describe('The page of Atrium that the user who is to log in opens in a browser.'),
    redirect_uri: z
      .string()
      .describe(
        'Where the authorization server sends the browser back to; register it there if a client is set by hand.',
      ),
    expires_at: z.iso.datetime().describe('When the login expires unless the user has finished it (ISO 8601, UTC).'),
  })
  .meta({ id: 'McpAuthorization' });
const callbackValue = s.optional(s.str({ max: 8000, secret: true }));
const serverId = 'The id of the MCP server.';
/** A browser comes here without a key, so a malformed id is answered like an unknown one. */
export const mcpCallbackParams = s.object({ mcp_server_id: s.str({ max: 100 }).describe(serverId) });
export const mcpCallbackQuery = s.query({
  state: callbackValue.describe('The value that Atrium sent the browser away with; good once.'),
  code: callbackValue.describe('The authorization code. Absent when the user did not agree.'),
  iss: callbackValue.describe('The authorization server that answers (RFC 9207).'),
  error: callbackValue.describe('The error code when the login failed.'),
});
export const mcpLoginQuery = s.query({
  ticket: callbackValue.describe('The value from `authorization_url` that names the login.'),
});
export const mcpServerParams = s.object({ mcp_server_id: s.uuid('mcp_server').describe(serverId) });
export const mcpServerQuery = s.query({
  ...namedList(['url', 'created_at', 'updated_at'], { search: 'address', order: 'by address' }),
  held: s.optional(s.bool()).describe('True: only servers with tools that are held back. False: only servers without.'),
});
export const mcpToolQuery = s.query({
  ...pageFields,
  state: s.optional(s.oneOf(toolStates)).describe('Only tools in this state.'),
});

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
export type McpTry = z.output<typeof mcpTry>;
export type McpTrial = z.output<typeof mcpTrial>;
