import { hash, randomBytes } from 'node:crypto';

const value = /^[\w-]{43}$/;
const kept = /(?:^|;\s*)(?:__Host-)?atrium_login_([\da-f-]{36})=([\w-]{43})(?=;|$)/g;
/** More logins than anybody has open at once. */
const most = 20;

/** What a browser keeps of a login, and what we do: nobody who reads the database can pass for the browser. */
export const createBrowserToken = () => randomBytes(32).toString('base64url');
export const browserHash = (browser: string) => hash('sha256', browser);
/** Shown in the page, to come back with its form. What is kept can't be told from it. */
export const browserProof = (browser: string) => hash('sha256', `proof ${browser}`, 'base64url');

/** What this browser keeps, by the login that it belongs to. */
export function browserTokensIn(cookies: string | undefined): Map<string, string> {
  const found = [...(cookies ?? '').slice(0, 8000).matchAll(kept)].slice(0, most);
  return new Map(found.map(([, id, browser]) => [id as string, browser as string]));
}

/**
 * Sent along when an authorization server sends the browser back, but not with a form of another site. Where the address
 * is encrypted, no neighbour of our host can set one either.
 */
export function cookieFor(public_url: string, login_id: string, browser: string | null, seconds: number): string {
  const secure = public_url.startsWith('https:');
  if (browser !== null && !value.test(browser)) throw new TypeError('This is nothing for a cookie');
  const life = browser === null ? 0 : seconds;
  return `${secure ? '__Host-' : ''}atrium_login_${login_id}=${browser ?? ''}; Path=/; Max-Age=${life}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
}
