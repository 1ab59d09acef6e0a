import type { PiiEntity } from '@atrium/contract/settings/keys/safety.ts';
import { makeYieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import type { AnonymizeText } from './anonymize-value.ts';
import type { DetectionCache } from './detection-cache.ts';
import { makeKnownValues } from './known-values.ts';
import type { PlaceholderEntry, Placeholders } from './placeholders.ts';
import { type Find, findPrivateSpans, replaceSpans, resolvePrivateSpans } from './replace-private-spans.ts';

/** For shorter texts detection is about as fast as the cache, and many of them occur once. */
const leastRemembered = 320;
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
}: {
  find: Find;
  entities: readonly PiiEntity[];
  placeholders: Placeholders;
  /** The placeholders of the parent conversation. */
  elsewhere: readonly PlaceholderEntry[];
  remember: DetectionCache;
}): AnonymizeText {
  const known = makeKnownValues(placeholders, entities, elsewhere);
  const breathe = makeYieldToEventLoop();
  const done = { text: new Map<string, Done>(), json: new Map<string, Done>() };
  let held = 0;

  async function hide(text: string, how: keyof typeof done): Promise<string> {
    if (!text.trim()) return text;
    const before = done[how].get(text);
    // The size before the detection: a value found here may occur here again where it is not detected.
    const { size } = placeholders;
    if (before?.size === size) return before.hidden;
    const look = () => findPrivateSpans(text, how === 'json', (some) => find(some, entities), breathe);
    const found = await (text.length < leastRemembered ? look() : remember([how, entities.join(), text], look));
    const spans = await resolvePrivateSpans(text, how === 'json', found, known, breathe);
    await breathe();
    const hidden = replaceSpans(text, spans, placeholders);
    if (!before) held += text.length;
    if (held > mostHeld) {
      for (const texts of Object.values(done)) texts.clear();
      held = text.length;
    }
    done[how].set(text, { hidden, size });
    await breathe();
    return hidden;
  }
  return Object.assign((text: string) => hide(text, 'text'), { json: (text: string) => hide(text, 'json') });
}
