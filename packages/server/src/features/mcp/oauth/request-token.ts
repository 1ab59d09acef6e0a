import { text } from 'node:stream/consumers';
import { McpServerError } from '../../../drivers/mcp/driver.ts';
import { type Web, WebRefused } from '../../../drivers/web/driver.ts';

/** How a client shows its secret: in the form, or in a header. */
export type ClientAuth = 'post' | 'basic';

/** How a token is asked for. */
export interface TokenLogin {
  grant_type: 'client_credentials' | 'refresh_token' | 'authorization_code';
  token_url: string;
  client_id: string;
  client_secret: string | null;
  refresh_token: string | null;
  scope: string | null;
  client_auth?: ClientAuth;
  /** What a browser has brought back, and what proves that it was asked for here. */
  code?: { code: string; redirect_uri: string; code_verifier: string };
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
export class TokenRefused extends McpServerError {
  constructor(message: string) {
    super('unauthorized', message);
  }
}

const codes = /^(?:invalid_(?:request|client|grant|scope|target)|unauthorized_client|unsupported_grant_type)$/;

/** Asks an authorization server for a token (RFC 6749, with the resource of RFC 8707). */
export async function requestToken(web: Web, login: TokenLogin, signal: AbortSignal): Promise<Token> {
  const { grant_type, client_id, client_secret, refresh_token, scope, resource } = login;
  const form = new URLSearchParams({ grant_type, client_id, resource, ...login.code });
  const basic = client_secret !== null && login.client_auth === 'basic';
  if (client_secret !== null && !basic) form.set('client_secret', client_secret);
  if (grant_type === 'refresh_token' && refresh_token !== null) form.set('refresh_token', refresh_token);
  // What was agreed to by a person is not asked for once more.
  if (scope !== null && grant_type !== 'authorization_code') form.set('scope', scope);
  const pair = basic ? `${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}` : '';
  try {
    const answer = await web.fetch(login.token_url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
        ...(basic && { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }),
      },
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
