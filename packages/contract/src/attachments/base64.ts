/** The bytes of canonical standard base64; undefined for any other text. */
export function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  // The unused bits of the last character must be 0; otherwise one file would have several spellings.
  const last = text.slice(-4);
  if (btoa(atob(last)) !== last) return undefined;
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** The bytes of a `data:` URL, which chats in browsers send files as; undefined when it is not in base64. */
export function decodeDataUrl(url: string): Uint8Array | undefined {
  const comma = url.indexOf(',');
  return comma > 0 && /;\s*base64$/i.test(url.slice(0, comma)) ? decodeBase64(url.slice(comma + 1)) : undefined;
}
