import type { PiiEntity } from '@atrium/contract/settings/safety.ts';
import { makeYieldToEventLoop } from '../../lib/yield-to-event-loop.ts';
import type { AnonymizeText } from './anonymize-value.ts';
import type { DetectionCache } from './detection-cache.ts';
import { makeKnownValues } from './known-values.ts';
import type { PlaceholderEntry, Placeholders } from './placeholders.ts';
import { type Find, findPrivateSpans, replaceSpans, resolvePrivateSpans } from './replace-private-spans.ts';

/** Shorter texts are found about as fast as they are looked up, and many of them are said only once. */
const leastRemembered = 320;
/** Characters of texts that are held together with what became of them. */
const mostHeld = 4_000_000;

interface Done {
  hidden: string;
  /** How many placeholders there were before. */
  size: number;
}

/**
 * Hides with the placeholders of one conversation. What it has hidden once it does not look at again, until there are
 * values that could stand in it too: every step of a run tells the model everything that was said before.
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
  /** What was private elsewhere. */
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
    // As it was before: a value that is found here may stand here a second time, where nothing tells what it is.
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
