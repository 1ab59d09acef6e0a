import type { PiiEntity } from '@atrium/contract/settings/keys/safety.ts';
import { resolveOverlaps } from '../pii/service.ts';
import type { KnownSpan, KnownValues } from './known-values.ts';
import { entityOf, type Placeholders, placeholderPattern, plainPlaceholder } from './placeholders.ts';
import { makeIsRunningText } from './running-text.ts';
import { type Reading, textReadings } from './text-readings.ts';
import { findUncoveredParts } from './uncovered-parts.ts';

export interface Found {
  entity: PiiEntity;
  start: number;
  end: number;
}

/** How a text is read: `isSaid` when the model has said it itself. */
export interface ReadingMode {
  mayBeJson: boolean;
  isSaid: boolean;
}

/** Finds the listed entities in a text, in order and without overlaps. */
export type Find = (text: string, entities: readonly PiiEntity[]) => Promise<readonly Found[]>;

/** A span to replace, and how. Of overlapping spans, literals win, then the longest. */
export interface PrivateSpan extends Found {
  kind: Reading['kind'];
  score: number;
  instead: string | undefined;
}
/** Encoded forms of known values may be detected as well, but only the known value determines the placeholder. */
const scores = { literal: 1, encoded: 0.6, found: 0.5, known: 0.4 };

/** The span in positions of the whole text; undefined when it lies in the context only. */
function placed({ context, kind, startOf, endOf }: Reading, span: Found & Partial<KnownSpan>, score: number) {
  const [start, end] = [Math.max(0, span.start - context.length), span.end - context.length];
  if (end <= start) return undefined;
  const { entity, instead } = span;
  return { entity, kind, score, instead, start: startOf(start), end: endOf(end) } satisfies PrivateSpan;
}

/** Detects values in every reading of a text. */
export async function findPrivateSpans(
  text: string,
  mayBeJson: boolean,
  find: (text: string) => Promise<readonly Found[]>,
  breathe: () => Promise<void>,
): Promise<PrivateSpan[]> {
  const found: PrivateSpan[] = [];
  // Rows of a table repeat the same texts.
  const seen = new Map<string, readonly Found[]>();
  for (const reading of textReadings(text, mayBeJson)) {
    const said = reading.context + reading.text;
    if (!said.trim()) continue;
    const spans = seen.get(said) ?? (await find(said));
    seen.set(said, spans);
    for (const span of spans) {
      const own = placed(reading, span, scores.found);
      if (own) found.push(own);
    }
    await breathe();
  }
  return found;
}

/** The characters that are processed without a pause. */
const stretch = 50_000;

/**
 * Finds known values, and text that looks like a placeholder, which gets one itself so that it comes back unchanged.
 */
async function knownIn(
  text: string,
  { mayBeJson, isSaid }: ReadingMode,
  known: KnownValues,
  breathe: () => Promise<void>,
) {
  const found: PrivateSpan[] = [];
  for (const reading of textReadings(text, mayBeJson)) {
    const spans: KnownSpan[] = [];
    const isRunningText = isSaid ? undefined : makeIsRunningText(reading.text);
    for (let at = 0; !reading.naming && at < reading.text.length; await breathe())
      at = known.between(reading.text, at, at + stretch, spans, isRunningText);
    const bare = { ...reading, context: '' };
    for (const span of spans) {
      const own = placed(bare, span, span.instead === undefined ? scores.known : scores.encoded);
      if (own) found.push(own);
    }
    if (!/[<%]/.test(reading.text)) continue;
    for (const { 0: literal, index } of reading.text.matchAll(placeholderPattern)) {
      const span = { entity: entityOf(plainPlaceholder(literal)), start: index, end: index + literal.length };
      const own = placed(bare, span, scores.literal);
      if (own) found.push(own);
    }
  }
  return found;
}

/** The spans to replace in a text: detected and known values. */
export async function resolvePrivateSpans(
  text: string,
  mode: ReadingMode,
  found: readonly PrivateSpan[],
  known: KnownValues,
  breathe: () => Promise<void>,
): Promise<PrivateSpan[]> {
  await known.update(breathe);
  const all = [...found, ...(await knownIn(text, mode, known, breathe))];
  await breathe();
  const kept = resolveOverlaps(all);
  return [...kept, ...findUncoveredParts(text, all, kept)].sort((a, b) => a.start - b.start);
}

/** The value of a span: in JSON without escapes, so that equal values are equal everywhere. */
export const meaningOf = (raw: string, { kind }: PrivateSpan): string =>
  kind === 'string' ? JSON.parse(`"${raw}"`) : raw;

export function replaceSpans(text: string, spans: readonly PrivateSpan[], placeholders: Placeholders): string {
  let hidden = '';
  let at = 0;
  for (const span of spans) {
    const { entity, kind, start, end, instead } = span;
    const placeholder = instead ?? placeholders.of(entity, meaningOf(text.slice(start, end), span));
    // A number in JSON is replaced by a string.
    hidden += text.slice(at, start) + (kind === 'number' ? JSON.stringify(placeholder) : placeholder);
    at = end;
  }
  return hidden + text.slice(at);
}
