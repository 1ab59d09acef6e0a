import type { Span } from '../ports.ts';
import { hostIn } from './host-names.ts';

/** The @ as programs encode it in URLs and HTML; `%2540` is encoded twice. */
const encodedAt = '%(?:25){0,3}40|&#0{0,4}64;|&#x0{0,4}40;|&commat;';
const encodedDot = '&#0{0,4}46;|&#x0{0,4}2e;|&period;';
const bracketed = (word: string) => String.raw`[ \t]{0,3}[[({<][ \t]?(?:${word})[ \t]?[\])}>][ \t]{0,3}`;
/** Dots that are written only to spell out an address. */
const spelledDot = String.raw`${bracketed(String.raw`dot|\.`)}|[ \t]{1,3}dot[ \t]{1,3}`;

const atSign = new RegExp(
  String.raw`(?<tight>${encodedAt}|${bracketed('at|@')})|(?<spaced>[ \t]{1,3}@[ \t]{1,3})|(?<word>[ \t]{1,3}at[ \t]{1,3})`,
  'gi',
);
/** No character of the local part can begin a dot, so a text has one reading. */
const local = String.raw`[\p{L}\p{N}\p{M}!$%'*+\-=^_~]{1,64}`;
const localPart = new RegExp(String.raw`${local}(?:(?:\.|${encodedDot}|${spelledDot})${local}){0,8}$`, 'iu');
const label = String.raw`[\p{L}\p{N}\p{M}-]{1,63}`;
const hostPart = new RegExp(String.raw`${label}(?:(?:\.|%2e|${encodedDot}|${spelledDot})${label}){1,8}`, 'iuy');
const anyDot = new RegExp(String.raw`\.|%2e|${encodedDot}|${spelledDot}`, 'giu');
const spelled = new RegExp(spelledDot, 'iu');

/** The longest local part, with its dots spelled out. */
const longest = 120;

/** Words before ` at ` and ` @ ` that describe a place and are no mailbox. */
const notMailbox =
  /^(?:a|am|an|and|are|around|arrived?|available|be|been|book|buy|call|check|click|come|find|found|get|go|here|him|her|home|hosted|i|in|is|it|join|listed|live|look|looked|looking|lunch|me|meet|meeting|more|new|not|now|of|on|online|only|or|order|out|pm|price|read|register|sale|see|seen|shop|sign|sold|start|starts|stay|that|them|there|they|this|those|today|tomorrow|up|us|visit|was|we|were|work|worked|working|works|yesterday|you)$/i;

/** The start of the mailbox that ends here; undefined when there is none. */
function mailboxStart(text: string, end: number, floor: number): number | undefined {
  const from = Math.max(floor, end - longest);
  const found = localPart.exec(text.slice(from, end));
  if (!found) return undefined;
  // `email=a%40b.org` is a name and a value, and a mailbox never begins with a sign.
  const key = /^.*=/.exec(found[0])?.[0].length ?? 0;
  const sign = /^[^\p{L}\p{N}_]*/u.exec(found[0].slice(key))?.[0].length ?? 0;
  const start = from + found.index + key + sign;
  return start < end ? start : undefined;
}

/** The end of the host that begins here, and the host as written; undefined unless it has a public suffix. */
function readHost(text: string, start: number): { end: number; written: string } | undefined {
  hostPart.lastIndex = start;
  const run = hostPart.exec(text)?.[0];
  if (!run) return undefined;
  const dots = [...run.matchAll(anyDot)];
  const host = hostIn(run.replace(anyDot, '.'), true);
  if (!host) return undefined;
  // Each dot before the end of the host has the length that it was written with.
  const longer = dots.slice(0, host.split('.').length - 1).reduce((sum, [dot]) => sum + dot.length - 1, 0);
  const written = run.slice(0, host.length + longer);
  return { end: start + written.length, written };
}

/**
 * Finds addresses whose @ is encoded (`%40`, `&#64;`), in brackets (`[at]`, `(at)`), between spaces, or spelled out
 * with the dots (`john at example dot com`). `look at example.com` is no address: the bare word counts only with a
 * spelled dot.
 */
export function findDisguisedEmails(text: string): Span[] {
  const spans: Span[] = [];
  let floor = 0;
  for (const { 0: sign, index, groups } of text.matchAll(atSign)) {
    if (index < floor) continue;
    const host = readHost(text, index + sign.length);
    if (!host || (groups?.['word'] && !spelled.test(host.written))) continue;
    const start = mailboxStart(text, index, floor);
    if (start === undefined) continue;
    if (!groups?.['tight'] && notMailbox.test(text.slice(start, index))) continue;
    spans.push({ entity: 'EMAIL_ADDRESS', start, end: host.end, score: groups?.['tight'] ? 1 : 0.9 });
    floor = host.end;
  }
  return spans;
}
