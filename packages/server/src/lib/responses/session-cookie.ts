/** Behind TLS the browser itself refuses a cookie of this name from another host, path or plain connection. */
const secureName = '__Host-atrium_session';
const plainName = 'atrium_session';

const attributes = (isSecure: boolean) => `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
const nameFor = (isSecure: boolean) => (isSecure ? secureName : plainName);

export const setSessionCookie = (token: string, { isSecure, seconds }: { isSecure: boolean; seconds: number }) =>
  `${nameFor(isSecure)}=${token}; Max-Age=${seconds}; ${attributes(isSecure)}`;

export const clearSessionCookie = ({ isSecure }: { isSecure: boolean }) =>
  `${nameFor(isSecure)}=; Max-Age=0; ${attributes(isSecure)}`;

/** The session token of a Cookie header; a second one of the same name is refused rather than one of them picked. */
export function readSessionCookie(header: string | undefined, isSecure: boolean): string | undefined {
  const own = `${nameFor(isSecure)}=`;
  const found = (header ?? '').split(';').flatMap((pair) => {
    const text = pair.trim();
    return text.startsWith(own) ? [text.slice(own.length)] : [];
  });
  return found.length === 1 && found[0] ? found[0] : undefined;
}
