import { mask } from '../../lib/secrets/mask-credentials.ts';
import { WebRefused, type WebRequest } from './driver.ts';

const bad = (message: string) => new WebRefused('bad_request', message);

/** One request on the way; each redirect makes the next from the last. */
export interface Hop {
  url: URL;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array | undefined;
  has_secrets: boolean;
}

/** Parsed once, with the parser whose result is also used to connect, so there is one reading. */
function checkedUrl(text: string, base?: URL): URL {
  if (text.length > 8192) throw bad('its address is too long');
  // An import leaves a mask where a secret is to be filled in.
  if (text.includes(mask)) throw bad('a secret is missing in its address: fill it in where the mask is');
  const url = URL.parse(text, base?.href);
  if (!url) throw bad('it is not a valid web address');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw bad('only http and https addresses are reached');
  if (url.username || url.password) throw bad('its address has a user name or password in it');
  url.hash = '';
  return url;
}

/** Headers that manage the connection, which callers can't set. */
const ours =
  /^(?:host|connection|keep-alive|content-length|transfer-encoding|te|trailer|upgrade|expect|accept-encoding|proxy-.*)$/;
/** Headers that usually hold no secret. Any other header may hold one. */
const harmless = new Set(['accept', 'accept-language', 'user-agent', 'content-type']);
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const keeping = (headers: Readonly<Record<string, string>>, wanted: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => wanted(name)));

const ownHeaders = { 'user-agent': 'Atrium', accept: '*/*' };

export function firstHop(
  address: string,
  { method = 'GET', headers = {}, body, has_secrets = false }: WebRequest,
): Hop {
  if (!methods.has(method)) throw bad('there is no such method');
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return {
    url: checkedUrl(address),
    method,
    headers: { ...ownHeaders, ...keeping(lower, (name) => !ours.test(name)) },
    body: body === undefined ? undefined : Buffer.from(body),
    has_secrets,
  };
}

const redirects = new Set([301, 302, 303, 307, 308]);

/** Where an answer sends us; undefined when it is the answer itself. */
export const locationOf = (status: number, location: string | undefined): string | undefined =>
  redirects.has(status) ? location : undefined;

export function nextHop(last: Hop, status: number, location: string): Hop {
  const url = checkedUrl(location, last.url);
  // Like browsers: after 303, and for a POST after 301 and 302, the next request is a GET without a body.
  const asksAnew =
    (status === 303 && last.method !== 'HEAD') || ((status === 301 || status === 302) && last.method === 'POST');
  const sameOrigin = url.origin === last.url.origin;
  // Another origin gets neither the body (307, 308) nor a header that may be a secret.
  const body = asksAnew || !sameOrigin ? undefined : last.body;
  const kept = keeping(
    last.headers,
    (name) => (sameOrigin || harmless.has(name)) && (body !== undefined || !name.startsWith('content-')),
  );
  const headers = sameOrigin || !last.has_secrets ? kept : ownHeaders;
  return { ...last, url, method: asksAnew ? 'GET' : last.method, headers, body };
}
