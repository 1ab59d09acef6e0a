import { text } from 'node:stream/consumers';
import { McpServerError } from '../../../drivers/mcp/driver.ts';
import { type Web, WebRefused } from '../../../drivers/web/driver.ts';

/** How a client sends its secret: in the form, or in a header. */
export type ClientAuth = 'post' | 'basic';

/** The parameters of a token request. */
export interface TokenLogin {
  grant_type: 'client_credentials' | 'refresh_token' | 'authorization_code';
  token_url: string;
  client_id: string;
  client_secret: string | null;
  refresh_token: string | null;
  scope: string | null;
  client_auth?: ClientAuth;
  /** The code from the callback, with the verifier of its PKCE challenge. */
  code?: { code: string; redirect_uri: string; code_verifier: string };
  /** The MCP server that the token is for. */
  resource: string;
}

export interface Token {
  access_token: string;
  /** A new refresh token, when the old one can be used only once. */
  refresh_token: string | null;
  expires_at: number | null;
}

/** Why there is no token. The text is ours, since words of the server may repeat what it was sent. */
export class TokenRefused extends McpServerError {
  constructor(message: string) {
    super('unauthorized', message);
  }
}

const codes = /^(?:invalid_(?:request|client|grant|scope|target)|unauthorized_client|unsupported_grant_type)$/;

/** Requests a token from an authorization server (RFC 6749, with the resource of RFC 8707). */
export async function requestToken(web: Web, login: TokenLogin, signal: AbortSignal): Promise<Token> {
  const { grant_type, client_id, client_secret, refresh_token, scope, resource } = login;
  const form = new URLSearchParams({ grant_type, client_id, resource, ...login.code });
  const basic = client_secret !== null && login.client_auth === 'basic';
  if (client_secret !== null && !basic) form.set('client_secret', client_secret);
  if (grant_type === 'refresh_token' && refresh_token !== null) form.set('refresh_token', refresh_token);
  // The scope of a code was fixed when the user agreed.
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
      // Redirects are not followed: the form holds secrets.
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
