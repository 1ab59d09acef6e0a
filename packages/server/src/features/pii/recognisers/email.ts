import { isIP } from 'node:net';
import type { Recogniser, Span } from '../ports.ts';
import { findDisguisedEmails } from './disguised-email.ts';
import { hostIn, unspacedBefore } from './host-names.ts';

const localCharacter = /[\p{L}\p{N}\p{M}!#$%&'*+\-=^_~.]/u;
const hostRun = /[\p{L}\p{N}\p{M}.-]{1,255}/uy;
const addressLiteral = /\[(?:IPv6:)?([0-9A-Fa-f:.]{2,45})\]/iy;
const wordCharacter = /[\p{L}\p{N}_]/u;

/** The longest local part that mail systems accept. */
const longest = 64;

/** The start of the local part; the position of the @ when there is none. */
function localStart(text: string, at: number, floor: number): number {
  if (text[at - 1] === '"') {
    const from = Math.max(floor, at - longest - 2);
    const open = text.slice(from, at - 1).lastIndexOf('"');
    const quoted = open < 0 ? '' : text.slice(from + open + 1, at - 1);
    return quoted.trim() && !/[\r\n<>]/.test(quoted) ? from + open : at;
  }
  let start = at;
  while (start > floor && at - start < longest && localCharacter.test(text.charAt(start - 1))) start--;
  let local = text.slice(start, at);
  // `email=a@b.org` is a name and a value, `邮箱a@b.org` a word and an address.
  const key = /^.*=/.exec(local)?.[0].length ?? 0;
  const word = /^[\w.+-]$/.test(local.charAt(local.length - 1)) ? unspacedBefore(local, local.length) : 0;
  start += Math.max(key, word);
  local = text.slice(start, at);
  while (local && !wordCharacter.test(local.charAt(0))) {
    local = local.slice(1);
    start++;
  }
  return local.endsWith('.') ? at : start;
}

/** The end of the host; the position after the @ when there is none. */
function hostEnd(text: string, from: number): number {
  addressLiteral.lastIndex = from;
  const literal = addressLiteral.exec(text);
  if (literal) return isIP(literal[1] ?? '') ? addressLiteral.lastIndex : from;
  hostRun.lastIndex = from;
  const run = hostRun.exec(text)?.[0];
  return from + (run ? (hostIn(run, true)?.length ?? 0) : 0);
}

export const email: Recogniser = {
  entities: ['EMAIL_ADDRESS'],
  find(text) {
    const spans: Span[] = [];
    let floor = 0;
    for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
      const start = localStart(text, at, floor);
      if (start === at) continue;
      const end = hostEnd(text, at + 1);
      if (end === at + 1) continue;
      spans.push({ entity: 'EMAIL_ADDRESS', start, end, score: 1 });
      floor = end;
    }
    return [...spans, ...findDisguisedEmails(text)];
  },
};
