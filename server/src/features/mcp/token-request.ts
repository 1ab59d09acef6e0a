import { text } from 'node:stream/consumers';
import { McpTrouble } from '../../drivers/mcp/driver.ts';
import { type Web, WebRefused } from '../../drivers/web/driver.ts';

/** How a token is asked for, by the two grants that need no person. */
export interface TokenLogin {
  grant_type: 'client_credentials' | 'refresh_token';
  token_url: string;
  client_id: string;
  client_secret: string | null;
  refresh_token: string | null;
  scope: string | null;
  /** The server that the token is for. */
  resource: string;
}

export interface Token {
  access_token: string;
  /** Another one, where the old one is good only once. */
  refresh_token: string | null;
  expires_at: number | null;
}

/** Why there is no token, in words of ours: what a server says may hold what it was sent. */
export class TokenRefused extends McpTrouble {
  constructor(message: string) {
    super('unauthorized', message);
  }
}

const codes = /^(?:invalid_(?:request|client|grant|scope|target)|unauthorized_client|unsupported_grant_type)$/;

/** Asks an authorization server for a token (RFC 6749, with the resource of RFC 8707). */
export async function requestToken(web: Web, login: TokenLogin, signal: AbortSignal): Promise<Token> {
  const { grant_type, client_id, client_secret, refresh_token, scope, resource } = login;
  const form = new URLSearchParams({ grant_type, client_id, resource });
  if (client_secret !== null) form.set('client_secret', client_secret);
  if (grant_type === 'refresh_token' && refresh_token !== null) form.set('refresh_token', refresh_token);
  if (scope !== null) form.set('scope', scope);
  try {
    const answer = await web.fetch(login.token_url, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: form.toString(),
      // What is sent is worth too much to be sent on.
      ...{ follow: false, max_bytes: 100_000, timeout_ms: 10_000, signal },
    });
    const said = JSON.parse(await text(answer.body)) as Record<string, unknown>;
    if (answer.status !== 200) {
      const code = typeof said['error'] === 'string' && codes.test(said['error']) ? ` (${said['error']})` : '';
      throw new TokenRefused(`the authorization server answered ${answer.status}${code}`);
    }
    const { access_token, refresh_token: next, expires_in } = said;
    if (typeof access_token !== 'string' || !access_token)
      throw new TokenRefused('the authorization server sent no token');
    const seconds = Number(expires_in);
    return {
      access_token,
      refresh_token: typeof next === 'string' && next ? next : null,
      expires_at: Number.isFinite(seconds) && seconds > 0 ? Date.now() + seconds * 1000 : null,
    };
  } catch (error) {
    if (error instanceof TokenRefused) throw error;
    if (error instanceof WebRefused)
      throw new TokenRefused(`the authorization server could not be asked: ${error.message}`);
    throw new TokenRefused('the authorization server answered something that can not be read');
  }
}
