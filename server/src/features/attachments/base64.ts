/** The bytes of standard base64, written as it should be; undefined otherwise. Node itself skips what it can't read. */
export function decodeBase64(text: string): Buffer | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  // Bits that no byte needs must be 0, or else one file would have several spellings.
  const last = text.slice(-4);
  if (Buffer.from(last, 'base64').toString('base64') !== last) return undefined;
  return Buffer.from(text, 'base64');
}

/** The bytes of a `data:` address, as chats in browsers send files; undefined when it is not one in base64. */
export function decodeDataUrl(url: string): Buffer | undefined {
  const comma = url.indexOf(',');
  return comma > 0 && /;\s*base64$/i.test(url.slice(0, comma)) ? decodeBase64(url.slice(comma + 1)) : undefined;
}
