import { createHmac, randomBytes } from 'node:crypto';
import type { SignInSecrets } from '../../../drivers/openid/driver.ts';

export const newBrowserToken = () => randomBytes(32).toString('base64url');

const derive = (browser: string, what: string) => createHmac('sha256', browser).update(what).digest('base64url');

/** Everything that a sign-in has to keep secret comes from the token of the browser; none of it is stored. */
export const secretsOf = (browser: string): SignInSecrets => ({
  state: derive(browser, 'oidc state'),
  nonce: derive(browser, 'oidc nonce'),
  code_verifier: derive(browser, 'oidc verifier'),
});

/** Each sign-in has a cookie of its own, so that two tabs do not disturb each other. Its name is a part of the state. */
const nameFor = (state: string, isSecure: boolean) => `${isSecure ? '__Host-' : ''}atrium_oidc_${state.slice(0, 12)}`;
const attributes = (isSecure: boolean) => `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;

export const setLoginCookie = (browser: string, { isSecure, seconds }: { isSecure: boolean; seconds: number }) =>
  `${nameFor(secretsOf(browser).state, isSecure)}=${browser}; Max-Age=${seconds}; ${attributes(isSecure)}`;

export const clearLoginCookie = (state: string, { isSecure }: { isSecure: boolean }) =>
  `${nameFor(state, isSecure)}=; Max-Age=0; ${attributes(isSecure)}`;

/** The token of the browser that started the sign-in with this state; undefined in every other browser. */
export function readLoginCookie(
  header: string | undefined,
  state: string,
  { isSecure }: { isSecure: boolean },
): string | undefined {
  if (!/^[\w-]{43}$/.test(state)) return undefined;
  const own = `${nameFor(state, isSecure)}=`;
  return (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(own))
    .map((pair) => pair.slice(own.length))
    .find((browser) => secretsOf(browser).state === state);
}
