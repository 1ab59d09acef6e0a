import type { Web } from '../../../drivers/web/driver.ts';
import type { AuthorizationServer } from './discover-login.ts';
import { askJson } from './fetch-json.ts';
import { type ClientAuth, TokenRefused } from './request-token.ts';

/** The client that an authorization server knows us by. */
export interface Client {
  client_id: string;
  client_secret: string | null;
  client_auth: ClientAuth;
}

const named = { post: 'client_secret_post', basic: 'client_secret_basic' } as const;

/** How to authenticate: not at all where that is allowed, since PKCE protects the code. */
function methodFor({ auth_methods = ['none'] }: AuthorizationServer): 'none' | ClientAuth {
  if (auth_methods.includes('none')) return 'none';
  return auth_methods.includes(named.post) ? 'post' : 'basic';
}

/** How a client that a user registered by hand sends its secret. */
export const clientAuthForRegistered = ({ auth_methods }: AuthorizationServer): ClientAuth =>
  !auth_methods || auth_methods.includes(named.post) ? 'post' : 'basic';

/** Registers Atrium as a client of an authorization server (RFC 7591). */
export async function registerClient(web: Web, server: AuthorizationServer, redirect_uri: string): Promise<Client> {
  if (!server.registration_endpoint)
    throw new TokenRefused('the authorization server registers no clients by itself: set a client_id that it knows');
  const method = methodFor(server);
  const { status, said } = await askJson(web, server.registration_endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Atrium',
      redirect_uris: [redirect_uri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: method === 'none' ? 'none' : named[method],
      ...(server.scope && { scope: server.scope }),
    }),
  });
  const { client_id, client_secret, token_endpoint_auth_method: given } = said;
  if (status < 200 || status > 299 || typeof client_id !== 'string' || !client_id)
    throw new TokenRefused(`the authorization server did not register us (${status})`);
  const secret = typeof client_secret === 'string' && client_secret && given !== 'none' ? client_secret : null;
  return { client_id, client_secret: secret, client_auth: given === named.basic ? 'basic' : 'post' };
}
