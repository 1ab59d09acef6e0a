/** Header bytes are UTF-8 in current clients and Latin-1 in older ones. */
function decode(binary: string): string {
  const bytes = Buffer.from(binary, 'latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return binary;
  }
}

/** `UTF-8''na%C3%AFve.txt` (RFC 5987); undefined when it is not one. */
function decodeExtended(value: string): string | undefined {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(value)?.[1];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}

/**
 * What a form says of one of its parts, from the header as it came (a character for each byte). Only `\"` and `\\` are
 * taken for escapes: browsers send the backslashes of `C:\x` bare, and a quote as %22.
 */
export function readContentDisposition(header: string): { name: string; filename: string | undefined } | undefined {
  if (!/^\s*form-data\s*;/i.test(header)) return undefined;
  const values = new Map<string, string>();
  for (const match of header.matchAll(
    /;\s*([\w!#$&+.^`|~-]+\*?)\s*=\s*(?:"((?:\\["\\]|[^"\\]|\\(?!["\\]))*)"|([^;"]*))/g,
  )) {
    const [, key, quoted, bare] = match as unknown as [string, string, string | undefined, string | undefined];
    const value = quoted?.replaceAll(/\\(["\\])/g, '$1').replaceAll('%22', '"') ?? bare?.trim() ?? '';
    if (!values.has(key.toLowerCase())) values.set(key.toLowerCase(), value);
  }
  const name = values.get('name');
  if (name === undefined) return undefined;
  const plain = values.get('filename');
  const filename = decodeExtended(values.get('filename*') ?? '') ?? (plain === undefined ? undefined : decode(plain));
  return { name: decode(name), filename };
}
