import type { PiiEntity } from '@atrium/contract/settings/keys/safety.ts';
import type { CoveredText, Stretch } from '../../lib/text/covered-text.ts';
import { makeYieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import type { AllowedWords } from '../pii/service.ts';
import type { AnonymizeText, RequestAnonymizer } from './anonymize-value.ts';
import type { DetectionCache } from './detection-cache.ts';
import { makeKnownValues } from './known-values.ts';
import { type PlaceholderEntry, type Placeholders, placeholderPattern, plainPlaceholder } from './placeholders.ts';
import {
  type Find,
  findPrivateSpans,
  meaningOf,
  type PrivateSpan,
  type ReadingMode,
  replaceSpans,
  resolvePrivateSpans,
} from './replace-private-spans.ts';

/** The characters of texts that are cached with their results. */
const mostHeld = 4_000_000;

interface Done {
  hidden: string;
  /** The number of placeholders at that time. */
  size: number;
}

/**
 * Anonymizes texts with the placeholders of one conversation. A result is reused until there are new values that may
 * stand in the text, since every step of a run sends the whole conversation again.
 */
export function makeTextAnonymizer({
  find,
  entities,
  placeholders,
  elsewhere,
  remember,
  loadAllowed,
}: {
  find: Find;
  entities: readonly PiiEntity[];
  placeholders: Placeholders;
  /** The placeholders of the parent conversation. */
  elsewhere: readonly PlaceholderEntry[];
  remember: DetectionCache;
  /** Loads the values that are left alone; called when a value was found. */
  loadAllowed: () => Promise<AllowedWords>;
}): RequestAnonymizer {
  const known = makeKnownValues(placeholders, entities, elsewhere, loadAllowed);
  const breathe = makeYieldToEventLoop();
  const done = new Map<string, Done>();
  let held = 0;

  const isNothingKnown = () => placeholders.size === 0 && elsewhere.length === 0;

  async function detect(text: string, mayBeJson: boolean): Promise<readonly PrivateSpan[]> {
    const look = () => findPrivateSpans(text, mayBeJson, (some) => find(some, entities), breathe);
    const key = [mayBeJson ? 'json' : 'text', entities.join(), text];
    const found = await remember(key, look);
    if (found.length === 0) return found;
    const { allows } = await loadAllowed();
    return found.filter((span) => !allows(span.entity, meaningOf(text.slice(span.start, span.end), span)));
  }

  async function replace(text: string, mode: ReadingMode, more: readonly PrivateSpan[]): Promise<string> {
    const detected = await detect(text, mode.mayBeJson);
    if (detected.length === 0 && more.length === 0 && isNothingKnown() && !mayHoldPlaceholder.test(text)) return text;
    const found = [...detected, ...more];
    const spans = await resolvePrivateSpans(text, mode, found, known, breathe);
    await breathe();
    return replaceSpans(text, spans, placeholders);
  }

  async function hide(text: string, mode: ReadingMode): Promise<string> {
    if (!text.trim()) return text;
    const key = `${Number(mode.mayBeJson)}${Number(mode.isSaid)}${text}`;
    const before = done.get(key);
    // The size before the detection: a value found here may occur here again where it is not detected.
    const { size } = placeholders;
    if (before?.size === size) return before.hidden;
    const hidden = await replace(text, mode, []);
    if (!before) held += text.length;
    if (held > mostHeld) {
      done.clear();
      held = text.length;
    }
    done.set(key, { hidden, size });
    await breathe();
    return hidden;
  }

  /** Values are looked for in the whole text, for the context, and in each stretch alone, in case the context misleads. */
  async function hideWithin(text: string, covered: readonly Stretch[]): Promise<CoveredText> {
    for (const { 0: literal } of text.matchAll(placeholderPattern)) placeholders.reserve(plainPlaceholder(literal));
    const around = covered.length ? await detect(text, false) : [];
    const stretches: Stretch[] = [];
    let hidden = '';
    let at = 0;
    for (const { start, end } of covered) {
      const inside = around.flatMap((span) => {
        const [from, to] = [Math.max(span.start, start), Math.min(span.end, end)];
        return from < to ? [{ ...span, start: from - start, end: to - start }] : [];
      });
      const piece = text.slice(start, end);
      hidden += text.slice(at, start);
      const from = hidden.length;
      hidden += inside.length ? await replace(piece, plain, inside) : await hide(piece, plain);
      stretches.push({ start: from, end: hidden.length });
      at = end;
    }
    return { text: hidden + text.slice(at), covered: stretches };
  }

  const reader = (isSaid: boolean): AnonymizeText =>
    Object.assign((text: string) => hide(text, { mayBeJson: false, isSaid }), {
      json: (text: string) => hide(text, { mayBeJson: true, isSaid }),
    });
  return Object.assign(reader(false), { within: hideWithin, said: reader(true) });
}

/** The first character of a placeholder in a text, in a URL, or escaped in JSON. */
const mayHoldPlaceholder = /[<%\\]/;

const plain: ReadingMode = { mayBeJson: false, isSaid: false };
