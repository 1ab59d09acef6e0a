import { isIP, isIPv4, isIPv6 } from 'node:net';
import type { Recogniser, Span } from '../ports.ts';
import { before, glued, near } from '../surroundings.ts';

/** Runs of the characters of addresses. A run is taken whole, so no character is read twice. */
const dotted = /[0-9.]+/g;
const coloned = /[0-9A-Fa-f:.]+/g;
const zone = /%[0-9A-Za-z][\w.-]{0,30}(?<![.-])/y;
const saysIp = /\bip(?:v[46])?\b|\bip-|\baddress|adresse/i;
const saysVersion = /(?:\bversion|\bver|\bv|\brelease|\bbuild|\bfirmware|\bsection|§|\bchapter)[.:]?\s{0,2}$/i;

/** The mask of a network: `10.0.0.0/8`. In a URL the slash begins a path. */
const mask = /\/(\d{1,3})(?![\p{L}\p{N}_/]|[.:]\d)/uy;
function endOfNetwork(text: string, start: number, end: number, bits: number): number {
  mask.lastIndex = end;
  const found = text[start - 1] === '/' ? null : mask.exec(text);
  return found && Number(found[1]) <= bits ? end + found[0].length : end;
}

function version4(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: run, index } of text.matchAll(dotted)) {
    if (run.length < 7 || run.length > 40) continue;
    const lead = /^\.+/.exec(run)?.[0].length ?? 0;
    const value = run.slice(lead).replace(/\.+$/, '');
    const start = index + lead;
    const end = start + value.length;
    if (!isIPv4(value) || glued(text, start - 1) || glued(text, end)) continue;
    const context = near(text, start, end, saysIp);
    if (!context && saysVersion.test(before(text, start))) continue;
    spans.push({ entity: 'IP_ADDRESS', start, end: endOfNetwork(text, start, end, 32), score: context ? 1 : 0.95 });
  }
  return spans;
}

/** `::` is an operator of many languages, and words such as `::Face` consist of hex letters. */
function plausible(text: string, start: number, value: string): boolean {
  if (value === '::') return near(text, start, start + 2, saysIp);
  const groups = value.split(':').filter(Boolean);
  return /\d/.test(value) || groups.length > 2 || groups.every((group) => group.length === 4);
}

function version6(text: string): Span[] {
  const spans: Span[] = [];
  for (const { 0: run, index } of text.matchAll(coloned)) {
    if (run.length < 2 || run.length > 60 || run.indexOf(':') === run.lastIndexOf(':')) continue;
    const lead = /^\.+/.exec(run)?.[0].length ?? 0;
    let value = run.slice(lead).replace(/\.+$/, '');
    if (!isIPv6(value) && value.endsWith(':') && !value.endsWith('::')) value = value.slice(0, -1);
    const start = index + lead;
    let end = start + value.length;
    if (!isIPv6(value) || glued(text, start - 1) || glued(text, end) || text[end] === ':') continue;
    if (!plausible(text, start, value)) continue;
    zone.lastIndex = end;
    const scope = zone.exec(text)?.[0] ?? '';
    if (scope && isIP(value + scope)) end += scope.length;
    end = endOfNetwork(text, start, end, 128);
    spans.push({ entity: 'IP_ADDRESS', start, end, score: near(text, start, end, saysIp) ? 1 : 0.95 });
  }
  return spans;
}

export const ipAddress: Recogniser = {
  entities: ['IP_ADDRESS'],
  find: (text) => [...version4(text), ...version6(text)],
};
