import type { ModelPart, ModelRequest } from '../../../drivers/models/driver.ts';
import type { Veil } from '../../models/veil.ts';
import type { PiiEntity } from '../../settings/safety.ts';
import { hideRequest } from './hide-request.ts';
import { type Find, replaceSpans, toHide } from './hide-text.ts';
import type { HideText } from './hide-value.ts';
import { makePlaceholders, type PlaceholderEntry, type Placeholders } from './placeholders.ts';
import { makeTextRevealer, revealValue } from './reveal.ts';

/** Where the placeholders of a conversation are kept. */
export interface PlaceholderShelf {
  load(): Promise<readonly PlaceholderEntry[]>;
  /** False when somebody else has kept others since they were loaded. */
  keep(entries: readonly PlaceholderEntry[]): Promise<boolean>;
}

const note = (hidden: ModelRequest) =>
  `${hidden.system}\n\nTexts in angle brackets such as <PERSON_1> stand for private data. Use them as they are, brackets included.`.trim();

const mostTries = 10;

export function makeVeil({
  find,
  entities,
  shelf,
}: {
  find: Find;
  entities: readonly PiiEntity[];
  shelf: PlaceholderShelf;
}): Veil {
  let placeholders: Placeholders | undefined;

  const hideWith =
    (known: Placeholders): HideText =>
    async (text, context = '') => {
      if (!text) return text;
      const spans = await toHide(context + text, find, known, entities);
      const own = spans.filter(({ start }) => start >= context.length);
      if (own.length === 0) return text;
      const moved = own.map((span) => ({
        ...span,
        start: span.start - context.length,
        end: span.end - context.length,
      }));
      return replaceSpans(text, moved, known);
    };

  /** A value found at the end may stand at the beginning too, where nothing told what it is: looked at again. */
  async function hideAll(request: ModelRequest, known: Placeholders): Promise<ModelRequest> {
    for (;;) {
      const before = known.size;
      const hidden = await hideRequest(request, hideWith(known));
      if (known.size === before) return hidden;
    }
  }

  /** A placeholder is kept before anybody hears of it. */
  async function hide(request: ModelRequest): Promise<ModelRequest> {
    for (let tries = 0; tries < mostTries; tries++) {
      const known = placeholders ?? makePlaceholders(await shelf.load());
      const before = known.size;
      const hidden = await hideAll(request, known);
      if (known.size === before || (await shelf.keep(known.entries()))) {
        placeholders = known;
        return known.size ? { ...hidden, system: note(hidden) } : hidden;
      }
      // Somebody else gave out the same numbers; ours are given out anew after theirs.
      placeholders = undefined;
    }
    throw new Error('The placeholders of a conversation could not be kept');
  }

  async function* reveal(parts: AsyncIterable<ModelPart>, known: Placeholders): AsyncGenerator<ModelPart> {
    const texts = { text: makeTextRevealer(known), reasoning: makeTextRevealer(known) };
    let saying: 'text' | 'reasoning' = 'text';
    for await (const part of parts) {
      if (part.type === 'warning') {
        yield part;
        continue;
      }
      if (part.type !== saying) {
        const rest = texts[saying].end();
        if (rest) yield { type: saying, text: rest };
      }
      if (part.type === 'text' || part.type === 'reasoning') {
        saying = part.type;
        const text = texts[saying].push(part.text);
        if (text) yield { type: saying, text };
      } else if (part.type === 'tool-call') yield { ...part, input: revealValue(part.input, known) };
      else yield part;
    }
  }

  return {
    hide,
    reveal: (parts) => (placeholders?.size ? reveal(parts, placeholders) : parts),
  };
}
