import { required } from '../../lib/required.ts';
import { mapTexts, secretHandle } from '../variable-templates/service.ts';
import type { Scrubber } from './ports.ts';

/** A shorter text occurs in too many others by chance. */
const shortest = 6;
const shortestCoded = 8;

/** The base64 digits of a text at each of the three offsets: bytes before and after it change only the ends. */
function base64Cores(bytes: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const digits = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    return digits.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
}

const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
/** Many programs write JSON in ASCII alone, some also what could be read as HTML, or a slash. */
const coded = (text: string, signs: RegExp, hex: (digits: string) => string) =>
  text.replace(signs, (sign) => `\\u${hex(sign.charCodeAt(0).toString(16).padStart(4, '0'))}`);
const beyondAscii = /[^ -~]/g;
/** And what HTML could read as its own. */
const meaningful = /["&'+<>`]|[^ -~]/g;
const markup = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' } as Record<string, string>;

/** The escaped forms of a text: inside JSON, inside JSON twice, in HTML, in an address. */
function escapedSpellings(text: string): string[] {
  const json = inJson(text);
  return [
    json,
    inJson(json),
    coded(json, beyondAscii, (digits) => digits),
    coded(json, beyondAscii, (digits) => digits.toUpperCase()),
    coded(json.replaceAll('\\"', '"'), meaningful, (digits) => digits.toUpperCase()),
    json.replaceAll('/', '\\/'),
    text.replace(/[&<>"']/g, (sign) => required(markup[sign])),
    encodeURIComponent(text.toWellFormed()),
    new URLSearchParams({ '': text }).toString().slice(1),
  ];
}

/** The forms in which programs write a text: plain, escaped, as hex or base64 digits. */
function spellingsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const cores = base64Cores(bytes);
  const digits = [
    bytes.toString('hex'),
    ...cores,
    ...cores.map((core) => core.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  // Escaping keeps all letters, so a text that is long enough stays long enough.
  const least = text.length >= shortest ? shortest : shortestCoded;
  return [
    ...(text.length >= shortest ? [text] : []),
    ...escapedSpellings(text).filter((spelling) => spelling.length >= least),
    ...digits.filter((spelling) => spelling.length >= shortestCoded),
  ];
}

/** A line of this length does not occur elsewhere by chance. */
const shortestLine = 16;
/** The frame lines of a PEM key are not secret. */
const isFrame = (line: string) => line.startsWith('-----');

/** The lines of a key may appear separately. */
const linesOf = (text: string): string[] =>
  text.includes('\n')
    ? text.split('\n').flatMap((line) => (line.trim().length >= shortestLine && !isFrame(line) ? [line.trim()] : []))
    : [];

/** The texts of an object may appear without the object. */
function leavesOf(text: string): string[] {
  if (!text.startsWith('{')) return [];
  const leaves: string[] = [];
  try {
    mapTexts(JSON.parse(text), (leaf) => {
      if (leaf.length >= shortestCoded) leaves.push(leaf);
      return leaf;
    });
  } catch {
    // A text that is not JSON has no inner texts.
  }
  return leaves;
}

/** Remembers secrets and replaces every occurrence by its handle. */
export function makeScrubber(): Scrubber {
  const spellings = new Map<string, string>();
  let inOrder: [spelling: string, handle: string][] = [];

  const cover = (text: string) =>
    inOrder.reduce((left, [spelling, handle]) => left.replaceAll(spelling, () => handle), text);

  function coverAll(value: unknown): unknown {
    if (typeof value === 'string') return cover(value);
    if (Array.isArray(value)) return value.map(coverAll);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [cover(key), coverAll(item)]));
  }
  const scrub = <T>(value: T): T => (inOrder.length === 0 ? value : (coverAll(value) as T));

  return {
    remember(name, text) {
      for (const part of [text, ...leavesOf(text), ...linesOf(text)])
        for (const spelling of spellingsOf(part)) spellings.set(spelling, secretHandle(name));
      // The longest first: a secret may be a part of another.
      inOrder = [...spellings].sort(([a], [b]) => b.length - a.length);
    },
    scrub,
  };
}
