import { hash, randomBytes } from 'node:crypto';
import { conflict, notFound } from '@atrium/contract/errors.ts';
import type { McpAuthorization, McpAuthorize, McpCallbackQuery } from '@atrium/contract/mcp/schema.ts';
import type { Database } from '../../../db/database.ts';
import type { Web } from '../../../drivers/web/driver.ts';
import { newId } from '../../../lib/ids.ts';
import { parseStored } from '../../../lib/json/parse-stored.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Keyring } from '../../keyring/service.ts';
import * as store from '../store.ts';
import { type AuthorizationRow, insertAuthorization, isLoginServer, takeAuthorization } from './authorization-store.ts';
import { browserHash, browserTokensIn, cookieFor } from './browser-cookie.ts';
import { type AuthorizationServer, discoverLogin } from './discover-login.ts';
import { type Client, clientAuthForRegistered, registerClient } from './register-client.ts';
import { type ClientAuth, requestToken, TokenRefused } from './request-token.ts';
import { mcpSecretsPurpose, type Secrets, type Tokens } from './tokens.ts';

export interface Authorization {
  /** Finds the authorization server and returns the address of our login page, from which `makeLogin` leads on. */
  start(scope: Scope, server_id: string, input: McpAuthorize): Promise<McpAuthorization>;
  /**
   * Finishes the login when the browser comes back with a code. Returns the header that deletes the browser's cookie.
   */
  finish(server_id: string, query: McpCallbackQuery, cookies: string | undefined): Promise<string>;
}

export const mcpAuthorizationPurpose = (id: string) => `mcp authorization ${id}`;

/** The sealed values of a login in progress. */
export interface PendingLogin {
  code_verifier: string;
  /** The address at the authorization server that the browser is sent to, with the state in it. */
  address: string;
  client_secret: string | null;
  client_auth: ClientAuth;
}

/** How long a user may take to log in. */
const patience = 10 * 60_000;

/** Failures at an authorization server are a conflict with a reason: waiting and repeating the request would not help. */
const refused = (why: string) => conflict(`Logging in is not possible: ${why}`, 'login_refused');

const random = () => randomBytes(32).toString('base64url');

interface Needs {
  db: Database;
  keyring: Keyring;
  web: Web;
  tokens: Pick<Tokens, 'opened'>;
  /** The address by which browsers reach this server. */
  public_url: string;
}

/** Browser logins to MCP servers: the authorization code flow with PKCE (RFC 7636). */
export function makeAuthorization({ db, keyring, web, tokens, public_url }: Needs): Authorization {
  /**
   * Each server has its own redirect address, so that an answer of one authorization server is not taken for another's.
   */
  const redirectTo = (server_id: string) => `${public_url}/v1/mcp-servers/${server_id}/callback`;

  /** The client to use: the one set by a user, the one registered before, or a new registration. */
  async function clientFor(row: store.ServerRow, server: AuthorizationServer): Promise<Client> {
    const { client_secret, client_auth = clientAuthForRegistered(server) } = await tokens.opened(row);
    // A client id and its secret belong to one authorization server and are never sent to another.
    const originOf = (address: string) => URL.parse(address)?.origin;
    const theirs =
      row.issuer !== null
        ? row.issuer === server.issuer
        : row.token_url === null || originOf(row.token_url) === originOf(server.token_endpoint);
    if (row.client_id !== null && theirs) return { client_id: row.client_id, client_secret, client_auth };
    return registerClient(web, server, redirectTo(row.id));
  }

  /** Exchanges the code for tokens and stores them sealed. */
  async function exchange(taken: AuthorizationRow, code: string): Promise<void> {
    const { workspace_id, id, server_id, token_url, client_id, scope, issuer } = taken;
    const opened = await keyring.open(workspace_id, mcpAuthorizationPurpose(id), taken.secrets);
    const { code_verifier, client_secret, client_auth } = parseStored<PendingLogin>(opened);
    const row = await store.findServer(db, workspace_id, server_id);
    if (!row) throw notFound('MCP server');
    const login = { token_url, client_id, client_secret, client_auth, scope, refresh_token: null, resource: row.url };
    const token = await requestToken(
      web,
      { ...login, grant_type: 'authorization_code', code: { code, code_verifier, redirect_uri: taken.redirect_uri } },
      AbortSignal.timeout(10_000),
    );
    const { access_token, refresh_token, expires_at } = token;
    const secrets: Secrets = { client_secret, client_auth, refresh_token, access_token };
    const sealed = await keyring.seal(workspace_id, mcpSecretsPurpose(server_id), JSON.stringify(secrets));
    await db.transaction(undefined, async (tx) => {
      const grant = { grant_type: 'authorization_code' as const, token_url, client_id, scope, issuer };
      await store.updateLogin(tx, workspace_id, server_id, { ...grant, secrets: sealed });
      const token_expires_at = expires_at === null ? null : new Date(expires_at).toISOString();
      await store.updateToken(tx, workspace_id, server_id, { secrets: sealed, token_expires_at, last_error: null });
    });
  }

  return {
    async start(scope: Scope, server_id: string, input: McpAuthorize): Promise<McpAuthorization> {
      const { workspace_id } = scope;
      const row = await store.findServer(db, workspace_id, server_id);
      if (!row) throw notFound('MCP server');
      if (!/^https?:/.test(row.url) || row.url.includes('{{'))
        throw refused('its address is not fixed, or is a program');
      try {
        const server = await discoverLogin(web, row.url);
        const { client_id, client_secret, client_auth } = await clientFor(row, server);
        const [id, state, ticket, code_verifier] = [newId(), random(), random(), random()];
        const redirect_uri = redirectTo(row.id);
        const wanted = input.scope ?? row.scope ?? server.scope ?? null;
        const expires_at = new Date(Date.now() + patience).toISOString();
        const { issuer, names_issuer, token_endpoint: token_url } = server;
        const address = new URL(server.authorization_endpoint);
        const asked = {
          ...{ response_type: 'code', client_id, redirect_uri, state, resource: row.url },
          ...{ code_challenge: hash('sha256', code_verifier, 'base64url'), code_challenge_method: 'S256' },
          ...(wanted !== null && { scope: wanted }),
        };
        for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
        const kept: PendingLogin = { code_verifier, client_secret, client_auth, address: address.href };
        await insertAuthorization(db, {
          ...{ workspace_id, id, server_id, issuer, names_issuer, token_url, client_id, scope: wanted, redirect_uri },
          secrets: await keyring.seal(workspace_id, mcpAuthorizationPurpose(id), JSON.stringify(kept)),
          ...{ state_hash: hash('sha256', state), ticket_hash: hash('sha256', ticket), expires_at },
        });
        const authorization_url = `${public_url}/v1/mcp-servers/${row.id}/login?ticket=${ticket}`;
        return { authorization_url, redirect_uri, expires_at };
      } catch (error) {
        if (error instanceof TokenRefused) throw refused(error.message);
        throw error;
      }
    },

    async finish(
      server_id: string,
      { state, code, iss, error }: McpCallbackQuery,
      cookies: string | undefined,
    ): Promise<string> {
      if (!(await isLoginServer(db, server_id))) throw notFound('MCP server');
      const browsers = [...browserTokensIn(cookies).values()].map(browserHash);
      const taken = state && (await takeAuthorization(db, server_id, hash('sha256', state), browsers));
      if (!taken)
        throw conflict('This login is not known, took too long, is over or was begun in another browser', 'login_over');
      try {
        // The answer names another authorization server than the one that was asked, so the code is not exchanged.
        if (iss === undefined ? taken.names_issuer : iss !== taken.issuer)
          throw new TokenRefused('the answer does not come from the authorization server that was asked');
        if (error !== undefined || code === undefined) throw new TokenRefused('nobody has agreed to it');
        await exchange(taken, code);
        return cookieFor(public_url, taken.id, null, 0);
      } catch (failure) {
        if (!(failure instanceof TokenRefused)) throw failure;
        await store.markError(db, taken.workspace_id, taken.server_id, failure.message);
        throw refused(failure.message);
      }
    },
  };
}
