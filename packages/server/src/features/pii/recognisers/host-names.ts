import { parse } from 'tldts';

/** Domains of internal networks. They can't be registered, but addresses in them still belong to persons. */
const internal = new Set(['local', 'internal', 'lan', 'corp', 'intranet']);

/**
 * Names reserved for examples, tests and closed networks. Alone they are more often files (`.env.example`) than hosts,
 * so they need an @ or a scheme in front.
 */
const reserved = new Set(['example', 'test', 'invalid', 'localhost', 'localdomain', 'home', 'private', 'onion']);

const lastLabel = (host: string) => host.slice(host.lastIndexOf('.') + 1);

function isDomain(host: string, surely: boolean): boolean {
  if (host.length > 253 || !host.includes('.')) return false;
  for (const label of host.split('.'))
    if (!label || label.length > 63 || label.startsWith('-') || label.endsWith('-')) return false;
  const last = lastLabel(host).toLowerCase();
  if (internal.has(last) || (surely && reserved.has(last))) return true;
  const { domain, isIcann, isPrivate } = parse(host, { allowPrivateDomains: false });
  return domain !== null && (isIcann === true || isPrivate === true);
}

/** Han, Kana, Hangul, Thai and similar scripts have no space beside an address. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;
const latinThenUnspaced = new RegExp(`^([\\w-]+)${unspaced.source}`, 'u');
const sentenceStart = /^[A-Z][a-z]+$/;

/**
 * The longest prefix of a run of host characters that is a domain with a public suffix. The next sentence
 * (`example.com.Please`) or a word of a language without spaces may follow. `surely`: only a host can stand here.
 */
export function hostIn(run: string, surely = false): string | undefined {
  let host = run.replace(/[.-]+$/, '');
  for (let tries = 0; tries < 4 && host.includes('.'); tries++) {
    const last = lastLabel(host);
    const cut = latinThenUnspaced.exec(last)?.[1];
    if (cut && isDomain(host.slice(0, host.length - last.length + cut.length), surely))
      return host.slice(0, host.length - last.length + cut.length);
    const shorter = host.slice(0, -last.length - 1);
    if (sentenceStart.test(last) && /[a-z]/.test(shorter) && !/^[A-Z]/.test(lastLabel(shorter))) {
      if (isDomain(shorter, surely)) return shorter;
      if (!shorter.includes('.')) return undefined;
    }
    if (isDomain(host, surely)) return host;
    host = shorter;
  }
  return undefined;
}

/** How many characters at the start of a run belong to a script without spaces before a Latin value: `网址www.a.com`. */
export function unspacedBefore(run: string, end: number): number {
  for (let at = end - 1; at >= 0; at--) if (unspaced.test(run.charAt(at))) return at + 1;
  return 0;
}
