/** The address to go to after sign-in: a path of this server, or nothing. Browsers drop tabs and line ends, and read \ as /. */
export function safeNext(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\/(?![/\\])[\x20-\x7e\u00a0-\uffff]*$/.test(value)) return undefined;
  if (/^\/[^?#]*\\/.test(value) || /^\/(?:sign-in|welcome|invitation|invite|reset)(?:[/?#]|$)/.test(value))
    return undefined;
  const own = 'http://own.invalid';
  try {
    return new URL(value, own).origin === own ? value : undefined;
  } catch {
    return undefined;
  }
}
