import { conflict, invalid, notFound } from '@atrium/contract/errors.ts';
import type { McpServer, McpServerCreate, McpServerPatch, McpServerQuery } from '@atrium/contract/mcp/schema.ts';
import { type Paged, pageAnswer, pageOf } from '@atrium/contract/page.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Database, Db } from '../../db/database.ts';
import { newId } from '../../lib/ids.ts';
import { omit } from '../../lib/omit.ts';
import { pick } from '../../lib/pick.ts';
import { required } from '../../lib/required.ts';
import type { Scope } from '../../lib/scope.ts';
import { maskUrl } from '../../lib/secrets/mask-url.ts';
import type { Keyring } from '../keyring/service.ts';
import type { TypedAddresses } from '../typed-addresses/service.ts';
import type { ClientAuth } from './oauth/request-token.ts';
import { mcpSecretsPurpose, type Secrets, type Tokens } from './oauth/tokens.ts';
import * as store from './store.ts';
import { presentToolStates } from './tools/tool-states.ts';
import { toolsOf } from './tools/tool-store.ts';

export interface McpServers {
  list(scope: Scope, query: McpServerQuery): Promise<Paged<McpServer>>;
  get(scope: Scope, id: string): Promise<McpServer>;
  /** The whole address, as settings of agents have it. */
  urlOf(scope: Scope, id: string): Promise<string>;
  create(scope: Scope, input: McpServerCreate): Promise<McpServer>;
  update(scope: Scope, id: string, patch: McpServerPatch): Promise<McpServer>;
  remove(scope: Scope, id: string): Promise<void>;
  /** Returns the record of an address; creates it at the first contact. */
  at(
    workspace_id: string,
    url: string,
  ): Promise<{
    id: string;
    login: string | null;
  }>;
}

const maskedSecret = '********';
const secretNames = new Set(['client_secret', 'refresh_token']);
const covered = (text: string | null): typeof maskedSecret | null => (text === null ? null : maskedSecret);

/** The values of a template decide where tokens go, and a caller without the right to change logins may change them. */
function requireFixedAddress({ url, grant_type }: { url: string; grant_type?: unknown }): void {
  if (grant_type && url.includes('{{'))
    throw invalid(['body', 'url'], 'an address with a template can not have a login', url);
}

type Draft = Pick<store.ServerRow, 'grant_type' | 'token_url' | 'client_id' | 'scope'> &
  Pick<Secrets, 'client_secret' | 'refresh_token'>;

/** Refuses a login that lacks a field which its token request needs. */
function checkComplete(draft: Draft): void {
  const needs = (field: string) => invalid(['body', field], `${draft.grant_type ?? 'a login'} needs a ${field}`, null);
  if (draft.grant_type === null) {
    if (draft.token_url ?? draft.client_id ?? draft.client_secret ?? draft.refresh_token) throw needs('grant_type');
    return;
  }
  // Discovery and the user who logs in provide the rest.
  if (draft.grant_type === 'authorization_code') return;
  if (draft.token_url === null) throw needs('token_url');
  if (draft.client_id === null) throw needs('client_id');
  const secret = draft.grant_type === 'client_credentials' ? 'client_secret' : 'refresh_token';
  if (draft[secret] === null) throw needs(secret);
}

/** The MCP servers of a workspace: their logins, and which of their tools are accepted. */
export function makeMcpServers({
  db,
  keyring,
  tokens,
  typedAddresses,
}: {
  db: Database;
  keyring: Keyring;
  tokens: Tokens;
  typedAddresses: TypedAddresses;
}): McpServers {
  async function find(scope: Scope, id: string): Promise<store.ServerRow> {
    const row = await store.findServer(db, scope.workspace_id, id);
    if (!row) throw notFound('MCP server');
    return row;
  }

  /** The address may hold a credential from the settings of agents. */
  const shownUrl = ({ permissions }: Scope, url: string) => (allows(permissions, 'agents_edit') ? url : maskUrl(url));

  async function shown(scope: Scope, rows: store.ServerRow[], from: Db = db): Promise<McpServer[]> {
    const [first] = rows;
    if (!first) return [];
    const tools = await toolsOf(
      from,
      first.group_id,
      rows.map(({ id }) => id),
    );
    const states = await presentToolStates(from, scope, tools);
    return Promise.all(
      rows.map(async (row) => {
        const { client_secret, refresh_token } = await tokens.opened(row);
        const own = states.get(row.id) ?? [];
        const held = own.filter(({ state }) => state !== 'accepted').length;
        const hidden = { client_secret: covered(client_secret), refresh_token: covered(refresh_token) };
        return { ...omit(row, ['secrets']), url: shownUrl(scope, row.url), ...hidden, tools: own, held };
      }),
    );
  }
  const one = async (scope: Scope, row: store.ServerRow, from?: Db) => required((await shown(scope, [row], from))[0]);

  /** `before`: the registration to keep when the login stays the same. */
  async function loginOf(
    scope: Scope,
    id: string,
    draft: Draft,
    before: { issuer: string | null; client_auth?: ClientAuth | undefined } = { issuer: null },
  ): Promise<store.Login> {
    const { issuer, client_auth } = before;
    checkComplete(draft);
    const { client_secret, refresh_token, ...rest } = draft;
    const secrets =
      draft.grant_type === null
        ? null
        : await keyring.seal(
            scope.workspace_id,
            mcpSecretsPurpose(id),
            JSON.stringify({ client_secret, refresh_token, client_auth }),
          );
    return { ...rest, issuer, secrets };
  }

  const given = (input: McpServerPatch): Partial<Draft> =>
    Object.fromEntries(
      Object.entries(input).filter(
        ([name, value]) => name !== 'url' && value !== undefined && !(secretNames.has(name) && value === maskedSecret),
      ),
    );

  return {
    async list(scope: Scope, query: McpServerQuery): Promise<Paged<McpServer>> {
      const window = pageOf(query);
      const { rows, total, last } = await store.listServers(
        db,
        scope.workspace_id,
        { ...query, held: query.held },
        window,
      );
      return pageAnswer(await shown(scope, rows), total, window, last);
    },

    urlOf: async (scope, id) => (await find(scope, id)).url,
    get: async (scope: Scope, id: string): Promise<McpServer> => one(scope, await find(scope, id)),

    async create(scope: Scope, input: McpServerCreate): Promise<McpServer> {
      const none: Draft = {
        ...{
          grant_type: null,
          token_url: null,
          client_id: null,
          scope: null,
          client_secret: null,
          refresh_token: null,
        },
      };
      requireFixedAddress(input);
      typedAddresses.requireReachable(input.url, ['body', 'url']);
      typedAddresses.requireReachable(input.token_url, ['body', 'token_url']);
      const id = newId();
      const login = await loginOf(scope, id, { ...none, ...given(input) });
      return db.transaction(scope, async (tx) => {
        if (!(await store.insertServer(tx, scope.workspace_id, id, input.url)))
          throw conflict('There is already an MCP server with this address');
        return one(scope, required(await store.updateLogin(tx, scope.workspace_id, id, login)), tx);
      });
    },

    async update(scope: Scope, id: string, patch: McpServerPatch): Promise<McpServer> {
      const before = await find(scope, id);
      const { grant_type, token_url, client_id, scope: asked } = before;
      const { client_secret, refresh_token, client_auth } = await tokens.opened(before);
      const change = given(patch);
      typedAddresses.requireReachable(change.token_url, ['body', 'token_url'], token_url);
      const draft = { grant_type, token_url, client_id, scope: asked, client_secret, refresh_token, ...change };
      requireFixedAddress({ url: before.url, grant_type: draft.grant_type });
      // A caller that may change a login must not learn its secrets by having them sent to another address. Secrets
      // without an address were meant for the server that discovery finds, so they count as well.
      const moved = draft.token_url !== token_url;
      for (const secret of ['client_secret', 'refresh_token'] as const)
        if (moved && draft[secret] !== null && change[secret] === undefined)
          throw invalid(
            ['body', 'token_url'],
            `another address needs the ${secret} to be given again`,
            draft.token_url,
          );
      const same = !moved && draft.grant_type === grant_type && draft.client_id === client_id;
      const login = await loginOf(scope, id, draft, same ? { issuer: before.issuer, client_auth } : undefined);
      return db.write(scope, async (tx) => {
        const after = await store.updateLogin(tx, scope.workspace_id, id, login);
        if (!after) throw notFound('MCP server');
        const fields = ['grant_type', 'token_url', 'client_id', 'scope'] as const;
        scope.audit?.note({ before: pick(before, fields), after: { ...pick(after, fields), ...change } });
        return one(scope, after, tx);
      });
    },

    async remove(scope: Scope, id: string): Promise<void> {
      await db.write(scope, async (tx) => {
        if (!(await store.deleteServer(tx, scope.workspace_id, id))) throw notFound('MCP server');
      });
    },

    async at(workspace_id: string, url: string): Promise<{ id: string; login: string | null }> {
      const row =
        (await store.serverAt(db, workspace_id, url)) ??
        (await store.insertServer(db, workspace_id, newId(), url)) ??
        (await store.serverAt(db, workspace_id, url));
      if (!row) throw notFound('MCP server');
      // A changed login gets its own connection; the earlier connection may see other tools.
      return { id: row.id, login: row.grant_type === null || url.includes('{{') ? null : row.updated_at };
    },
  };
}
