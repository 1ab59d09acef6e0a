import type { Web } from '../../../drivers/web/driver.ts';
import { askJson } from './fetch-json.ts';
import { TokenRefused } from './request-token.ts';

/** The metadata of an authorization server. */
export interface AuthorizationServer {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  registration_endpoint: string | undefined;
  /** The ways of client authentication at the token endpoint; undefined when the metadata has none. */
  auth_methods: readonly string[] | undefined;
  /** Whether the callback names the issuer (RFC 9207). */
  names_issuer: boolean;
  /** The scopes that the MCP server asks for. */
  scope: string | undefined;
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Returns an address that credentials may be sent to: encrypted, or on this machine. */
function safeUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const { protocol, hostname, username } = new URL(value);
  const safe = protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname));
  return safe && !username ? value : undefined;
}

const strings = (value: unknown) =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : undefined;

/** The addresses of a well-known document: before the path (RFC 8414, RFC 9728), and without the path. */
function wellKnown(address: string, name: string): string[] {
  const { origin, pathname } = new URL(address);
  const path = pathname.replace(/\/$/, '');
  return [...new Set([`${origin}/.well-known/${name}${path}`, `${origin}/.well-known/${name}`])];
}

/** Asks the server without a token and reads from its 401 where its metadata is and which scope it wants. */
async function hinted(web: Web, url: string): Promise<{ at: string | undefined; scope: string | undefined }> {
  const { status, headers } = await askJson(web, url);
  const challenge = status === 401 ? (headers['www-authenticate'] ?? '') : '';
  const said = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(challenge)?.[1];
  return { at: safeUrl(said('resource_metadata')), scope: said('scope') || undefined };
}

/** Whether the metadata describes the server that was asked for; tokens for another server are not for it. */
function covers(resource: unknown, url: string): boolean {
  if (typeof resource !== 'string' || !URL.canParse(resource)) return false;
  const [described, asked] = [new URL(resource), new URL(url)];
  const path = (one: URL) => `${one.pathname.replace(/\/$/, '')}/`;
  return described.origin === asked.origin && path(asked).startsWith(path(described));
}

/**
 * Finds the authorization server that an MCP server trusts (RFC 9728). Without metadata, the server is taken for its
 * own.
 */
async function issuerOf(web: Web, url: string): Promise<{ issuer: string; scope: string | undefined }> {
  const { at, scope } = await hinted(web, url);
  for (const place of at ? [at] : wellKnown(url, 'oauth-protected-resource')) {
    const { status, said } = await askJson(web, place);
    if (status !== 200) continue;
    if (!covers(said['resource'], url)) throw new TokenRefused('its description is that of another server');
    const issuer = safeUrl(strings(said['authorization_servers'])?.[0]);
    if (!issuer) throw new TokenRefused('it names no authorization server that can be used');
    return { issuer, scope: scope ?? strings(said['scopes_supported'])?.join(' ') };
  }
  return { issuer: new URL(url).origin, scope };
}

/** Finds out how to log in to a server by a browser. */
export async function discoverLogin(web: Web, url: string): Promise<AuthorizationServer> {
  const { issuer, scope } = await issuerOf(web, url);
  const { pathname } = new URL(issuer);
  const places = [
    ...wellKnown(issuer, 'oauth-authorization-server').slice(0, 1),
    ...wellKnown(issuer, 'openid-configuration').slice(0, 1),
    ...(pathname === '/' ? [] : [`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`]),
  ];
  for (const place of places) {
    const { status, said } = await askJson(web, place);
    if (status !== 200) continue;
    // A server that claims the identity of another could make us send that server's codes to it.
    if (said['issuer'] !== issuer && said['issuer'] !== issuer.replace(/\/$/, ''))
      throw new TokenRefused('the authorization server describes itself as another');
    const [authorization_endpoint, token_endpoint] = [said['authorization_endpoint'], said['token_endpoint']].map(
      safeUrl,
    );
    if (!authorization_endpoint || !token_endpoint)
      throw new TokenRefused('the authorization server has no addresses that can be used');
    if (!strings(said['code_challenge_methods_supported'])?.includes('S256'))
      throw new TokenRefused('the authorization server does not do PKCE (S256)');
    return {
      ...{ issuer: said['issuer'], authorization_endpoint, token_endpoint, scope },
      registration_endpoint: safeUrl(said['registration_endpoint']),
      auth_methods: strings(said['token_endpoint_auth_methods_supported']),
      names_issuer: said['authorization_response_iss_parameter_supported'] === true,
    };
  }
  throw new TokenRefused('nobody says how to log in to it by a browser');
}
