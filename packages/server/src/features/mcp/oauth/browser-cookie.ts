import { hash, randomBytes } from 'node:crypto';

const value = /^[\w-]{43}$/;
const kept = /(?:^|;\s*)(?:__Host-)?atrium_login_([\da-f-]{36})=([\w-]{43})(?=;|$)/g;
/** More logins than a user has open at once. */
const most = 20;

/**
 * The token is kept by the browser and only its hash by us, so reading the database is not enough to act as the
 * browser.
 */
export const createBrowserToken = () => randomBytes(32).toString('base64url');
export const browserHash = (browser: string) => hash('sha256', browser);
/** A value in the page that comes back with its form. The token can't be derived from it. */
export const browserProof = (browser: string) => hash('sha256', `proof ${browser}`, 'base64url');

/** The tokens that this browser holds, by login id. */
export function browserTokensIn(cookies: string | undefined): Map<string, string> {
  const found = [...(cookies ?? '').slice(0, 8000).matchAll(kept)].slice(0, most);
  return new Map(found.map(([, id = '', browser = '']) => [id, browser]));
}

/**
 * The browser sends the cookie when an authorization server redirects it here, but not with a form of another site.
 * With HTTPS, the `__Host-` prefix keeps other hosts of the domain from setting it.
 */
export function cookieFor(public_url: string, login_id: string, browser: string | null, seconds: number): string {
  const secure = public_url.startsWith('https:');
  if (browser !== null && !value.test(browser)) throw new TypeError('This is nothing for a cookie');
  const life = browser === null ? 0 : seconds;
  return `${secure ? '__Host-' : ''}atrium_login_${login_id}=${browser ?? ''}; Path=/; Max-Age=${life}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}
