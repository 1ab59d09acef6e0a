/** A text without its escapes, with the original position of each character. */
export interface Unescaped {
  text: string;
  /** The position in the original text of a span that starts or ends here. */
  origin(index: number): number;
}

const escapes = /\\(?:u[\dA-Fa-f]{4}|["\\/bfnrt])/g;
const short: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Removes one level of JSON escapes; undefined when there are none. */
export function unescapeJson(text: string): Unescaped | undefined {
  if (!text.includes('\\')) return undefined;
  const origins: number[] = [];
  let plain = '';
  let at = 0;
  const take = (to: number) => {
    plain += text.slice(at, to);
    for (; at < to; at++) origins.push(at);
  };
  for (const { 0: sequence, index } of text.matchAll(escapes)) {
    take(index);
    const sign = sequence.charAt(1);
    plain += sign === 'u' ? String.fromCharCode(Number.parseInt(sequence.slice(2), 16)) : (short[sign] ?? sign);
    origins.push(index);
    at = index + sequence.length;
  }
  if (at === 0) return undefined;
  take(text.length);
  origins.push(text.length);
  return { text: plain, origin: (index) => origins[index] as number };
}
