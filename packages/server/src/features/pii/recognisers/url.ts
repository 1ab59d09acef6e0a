import { isIP } from 'node:net';
import type { Recogniser, Span } from '../ports.ts';
import { near } from '../surroundings.ts';
import { hostIn, unspacedBefore } from './host-names.ts';
import { addressEnd } from './url-path.ts';

const scheme = /(?:https?|ftps?|sftp|wss?|ssh|git|svn|smb|rtsp|ldaps?|file|s3|gs)$/i;
const authority = /[^\s/?#<>"'`|\\^{}()（）【】「」『』、。，；！？“”„«»]{1,300}/uy;
const hostCharacter = /[\p{L}\p{N}\p{M}._-]/u;

/** Domains that are also file extensions or identifiers. Alone, they need a word that marks an address. */
const fileLike = new Set('py md rs sh pl zip mov so cc ps tf vi pub as name id email date int host'.split(' '));
const saysUrl =
  /\b(?:web\s?site|site|web|home\s?page|domains?|url|link|visit|browse|webseite|www|seite|besuch\w*|go to|online)\b/i;

/** After a scheme the host may be any name that a network could know. */
function hostAfterScheme(text: string, from: number): { end: number; whole: boolean } | undefined {
  authority.lastIndex = from;
  const run = authority.exec(text)?.[0];
  if (!run) return undefined;
  const user = run.lastIndexOf('@') + 1;
  const rest = run.slice(user);
  const literal = /^\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?/.exec(rest);
  if (literal?.[1] && isIP(literal[1])) return { end: from + user + literal[0].length, whole: true };
  const port = /:\d{1,5}$/.exec(rest)?.[0] ?? '';
  const name = port ? rest.slice(0, -port.length) : rest.replace(/[.,;:!*]+$/, '');
  if (!name) return undefined;
  const known = isIP(name) || /^localhost$/i.test(name) ? name : hostIn(name, true);
  const whole = known === name;
  if (known) return { end: from + user + known.length + (whole ? port.length : 0), whole };
  const end = from + user + name.length + port.length;
  // A name in a local network, when a port or a path shows that it is an address.
  return /^[\w-]+$/.test(name) && (port || text[end] === '/') ? { end, whole: true } : undefined;
}

function withScheme(text: string): Span[] {
  const spans: Span[] = [];
  let floor = 0;
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    if (at < floor) continue;
    const name = scheme.exec(text.slice(Math.max(floor, at - 5), at))?.[0];
    if (!name) continue;
    const start = at - name.length;
    const host = /^file$/i.test(name) ? { end: at + 3, whole: true } : hostAfterScheme(text, at + 3);
    if (!host) continue;
    const end = host.whole ? addressEnd(text, start, host.end) : host.end;
    if (end <= at + 3) continue;
    spans.push({ entity: 'URL', start, end, score: 1 });
    floor = end;
  }
  return spans;
}

/** Whether a name without a scheme is an address, and not a file, code or a missing space. */
function meant(text: string, start: number, host: string, end: number): boolean {
  if (/^www\d?\.[^.]+\./i.test(host) || end > start + host.length) return true;
  if (/^www\d?\./i.test(host)) return false;
  const labels = host.split('.');
  const last = labels.at(-1) ?? '';
  if (/^[A-Z][a-z]+$/.test(last) && !/^[A-Z]/.test(labels.at(-2) ?? '')) return false;
  if (labels.every((label) => label.length === 1)) return false;
  if (labels.length > 2 || !fileLike.has(last.toLowerCase())) return true;
  return near(text, start, end, saysUrl);
}

/** Runs of host characters around a dot that is followed by more; most dots end a sentence and are skipped. */
function* dottedRuns(text: string): Generator<{ run: string; index: number }> {
  let floor = 0;
  for (let dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', Math.max(dot + 1, floor))) {
    if (!hostCharacter.test(text.charAt(dot + 1))) continue;
    let index = dot;
    while (index > floor && hostCharacter.test(text.charAt(index - 1))) index--;
    let end = dot + 2;
    while (end < text.length && hostCharacter.test(text.charAt(end))) end++;
    floor = end;
    yield { run: text.slice(index, end), index };
  }
}

function withoutScheme(text: string, taken: readonly Span[]): Span[] {
  const spans: Span[] = [];
  let next = 0;
  // Hosts in the path of an address are part of it. Reading the rest of the path for each of them would be quadratic.
  let floor = 0;
  for (const { run, index } of dottedRuns(text)) {
    if (index < floor) continue;
    while ((taken[next]?.end ?? Number.POSITIVE_INFINITY) <= index) next++;
    if ((taken[next]?.start ?? Number.POSITIVE_INFINITY) <= index) continue;
    const skip = /^[\x21-\x7e]*\.[\x21-\x7e]+$/.test(run.slice(-40)) ? unspacedBefore(run, run.lastIndexOf('.')) : 0;
    const lead = skip + (/^[._-]+/.exec(run.slice(skip))?.[0].length ?? 0);
    const start = index + lead;
    const host = hostIn(run.slice(lead));
    if (!host || host.includes('_') || text[start - 1] === '@' || text[start + host.length] === '@') continue;
    if (lead === 0 && text[start - 1] === '\\') continue;
    const end = host.length === run.length - lead ? addressEnd(text, start, start + host.length) : start + host.length;
    if (text[end] === '@' || !meant(text, start, host, end)) continue;
    floor = end;
    spans.push({ entity: 'URL', start, end, score: /^www\./i.test(host) || end > start + host.length ? 0.95 : 0.9 });
  }
  return spans;
}

export const url: Recogniser = {
  entities: ['URL'],
  find(text) {
    const taken = withScheme(text);
    return [...taken, ...withoutScheme(text, taken)];
  },
};
