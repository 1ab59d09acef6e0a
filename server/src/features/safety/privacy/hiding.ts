import { makeBreath } from '../../../lib/breath.ts';
import type { PiiEntity } from '../../settings/safety.ts';
import type { RememberFound } from './found-before.ts';
import { type Find, findIn, replaceSpans, toHide } from './hide-text.ts';
import type { HideText } from './hide-value.ts';
import { makeKnownValues } from './known-values.ts';
import type { PlaceholderEntry, Placeholders } from './placeholders.ts';

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
export function makeHideText({
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
  remember: RememberFound;
}): HideText {
  const known = makeKnownValues(placeholders, entities, elsewhere);
  const breathe = makeBreath();
  const done = { text: new Map<string, Done>(), json: new Map<string, Done>() };
  let held = 0;

  async function hide(text: string, how: keyof typeof done): Promise<string> {
    if (!text.trim()) return text;
    const before = done[how].get(text);
    // As it was before: a value that is found here may stand here a second time, where nothing tells what it is.
    const { size } = placeholders;
    if (before?.size === size) return before.hidden;
    const look = () => findIn(text, how === 'json', (some) => find(some, entities), breathe);
    const found = await (text.length < leastRemembered ? look() : remember([how, entities.join(), text], look));
    const spans = await toHide(text, how === 'json', found, known, breathe);
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
