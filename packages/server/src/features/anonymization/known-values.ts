import type { PiiEntity } from '@atrium/contract/settings/keys/safety.ts';
import { required } from '../../lib/required.ts';
import { type AllowedWords, nothingAllowed } from '../pii/service.ts';
import { makeLongestPrefixes } from './longest-prefixes.ts';
import { entityOf, type PlaceholderEntry, type Placeholders } from './placeholders.ts';
import { unescapeJson } from './unescape-json.ts';

/** Shorter values occur in too many other words. */
const leastKnown = 3;
/** A value with digits or an @ of at least this length is replaced even inside of another word. */
const unmistakable = 8;

const isLoose = (value: string) => value.length >= unmistakable && /[\p{N}@]/u.test(value);

const isWord = /[\p{L}\p{N}]/u;
const wordAt = (text: string, at: number) => isWord.test(text.charAt(at));
/** In a URL, the word may begin after an encoded character. */
const encodedBefore = (text: string, at: number) => /%[\da-f]{2}$/i.test(text.slice(Math.max(0, at - 3), at));

interface Form {
  entity: PiiEntity;
  /** The replacement; undefined: the placeholder of the value that stands there. */
  instead: string | undefined;
  loose: boolean;
  encoded: boolean;
}

type IsRunningText = (start: number, end: number) => boolean;

export interface KnownSpan {
  entity: PiiEntity;
  start: number;
  end: number;
  instead: string | undefined;
}

/** The value as programs encode it in URLs. */
function encodedForms(value: string): Set<string> {
  const whole = value.toWellFormed();
  const component = encodeURIComponent(whole);
  if (component === value) return new Set();
  const lower = component.replace(/%../g, (code) => code.toLowerCase());
  const form = new URLSearchParams([['', whole]]).toString().slice(1);
  const forms = new Set([component, lower, component.replaceAll('%20', '+'), form, encodeURI(whole)]);
  forms.delete(value);
  return forms;
}

const hash = (a: number, b: number, c: number) => ((a * 31 + b) * 31 + c) & 0xffff;

/**
 * Finds values that already have a placeholder, also where they would not be detected. One pass over a text for any
 * number of values: by their first three characters, then among the values that begin so. Values of a parent
 * conversation (`elsewhere`) get a placeholder only when they occur, since a model could otherwise name it.
 */
export function makeKnownValues(
  placeholders: Placeholders,
  entities: readonly PiiEntity[],
  elsewhere: readonly PlaceholderEntry[] = [],
  loadAllowed: () => Promise<AllowedWords> = async () => nothingAllowed,
): KnownValues {
  const forms = new Map<string, Form>();
  const byStart = new Map<string, ReturnType<typeof makeLongestPrefixes>>();
  /** Whether any value begins with these three characters, by hash. */
  const may = new Uint8Array(0x10000);
  let read = 0;
  let elsewhereRead = 0;

  function add(text: string, form: Form): void {
    if (text.length < leastKnown || forms.has(text)) return;
    forms.set(text, form);
    may[hash(text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2))] = 1;
    const start = text.slice(0, leastKnown);
    const known = byStart.get(start) ?? makeLongestPrefixes();
    byStart.set(start, known);
    known.add(text);
  }

  /** The longest value at a position that is not part of a longer word, nor of anything but running text. */
  function at(text: string, start: number, isRunningText: IsRunningText | undefined): KnownSpan | undefined {
    for (const value of byStart.get(text.slice(start, start + leastKnown))?.at(text, start) ?? []) {
      const end = start + value.length;
      const form = required(forms.get(value));
      const { entity, instead } = form;
      if (form.loose) return { entity, start, end, instead };
      const within = start > 0 && wordAt(text, start) && wordAt(text, start - 1) && !encodedBefore(text, start);
      if (within || (wordAt(text, end - 1) && wordAt(text, end))) continue;
      // An encoded form stands in an address by its nature.
      if (!form.encoded && isRunningText && !isRunningText(start, end)) continue;
      return { entity, start, end, instead };
    }
    return undefined;
  }

  return {
    async update(breathe: () => Promise<void>): Promise<void> {
      for (; elsewhereRead < elsewhere.length; await breathe()) {
        const [placeholder, value] = required(elsewhere[elsewhereRead++]);
        const entity = entityOf(placeholder);
        if (!entities.includes(entity) || (await loadAllowed()).allows(entity, value)) continue;
        const form = { entity, instead: undefined, loose: isLoose(value), encoded: false };
        add(value, form);
        for (const text of encodedForms(value)) add(text, { ...form, encoded: true });
      }
      for (const all = placeholders.entries(); read < all.length; await breathe()) {
        const [placeholder, value] = required(all[read++]);
        const entity = entityOf(placeholder);
        if (!entities.includes(entity) || (await loadAllowed()).allows(entity, value)) continue;
        const form = { entity, instead: undefined, loose: isLoose(value), encoded: false };
        add(value, form);
        const plain = unescapeJson(value);
        if (plain) add(plain.text, form);
        const instead = encodeURIComponent(placeholder);
        for (const text of encodedForms(value)) add(text, { ...form, instead, encoded: true });
      }
    },

    between(text, from, to, found, isRunningText): number {
      let start = from;
      for (const last = Math.min(to, text.length - leastKnown + 1); start < last; ) {
        const key = hash(text.charCodeAt(start), text.charCodeAt(start + 1), text.charCodeAt(start + 2));
        const span = may[key] ? at(text, start, isRunningText) : undefined;
        if (span) found.push(span);
        start = span ? span.end : start + 1;
      }
      return Math.max(start, to);
    },
  };
}

export interface KnownValues {
  /** Adds the values that got a placeholder since the last call. */
  update(breathe: () => Promise<void>): Promise<void>;
  /**
   * Finds the values that start between two positions, and returns where to go on. `isRunningText` limits names to
   * running text; left out: they are found in code and addresses too.
   */
  between(text: string, from: number, to: number, found: KnownSpan[], isRunningText?: IsRunningText): number;
}
