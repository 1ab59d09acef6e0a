/** The address of a link if it may be followed: http, https, mailto, or a path of our own. */
export function safeHref(href: string, origin: string): { href: string; own: boolean } | undefined {
  // Browsers drop control characters inside of addresses before they read the protocol.
  const plain = [...href].filter((letter) => letter > ' ' && letter !== '\u007f').join('');
  if (!URL.canParse(plain, origin)) return undefined;
  const url = new URL(plain, origin);
  const own = url.origin === origin;
  if (own)
    return plain.startsWith('/') || plain.startsWith(origin) ? { href: url.href.slice(origin.length), own } : undefined;
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? { href: url.href, own } : undefined;
}
