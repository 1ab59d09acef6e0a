import type { PiiEntity } from '@atrium/contract/settings/keys/safety.ts';
import type { ModelRequest } from '../../drivers/models/driver.ts';
import type { Anonymizer } from '../model-calls/ports.ts';
import { type AllowedWords, nothingAllowed } from '../pii/service.ts';
import { anonymizeRequest } from './anonymize-request.ts';
import type { RequestAnonymizer } from './anonymize-value.ts';
import type { DetectionCache } from './detection-cache.ts';
import { makePlaceholders, type PlaceholderEntry, type Placeholders } from './placeholders.ts';
import type { Find } from './replace-private-spans.ts';
import { revealParts } from './reveal-parts.ts';
import { makeTextAnonymizer } from './text-anonymizer.ts';

/** Stores the placeholders of a conversation. */
export interface PlaceholderStore {
  /** `box` identifies the loaded version; undefined when nothing was stored yet. */
  load(): Promise<{ entries: readonly PlaceholderEntry[]; box: string | undefined }>;
  /** Returns the new version; undefined when another node has stored a newer one since `box`. */
  keep(entries: readonly PlaceholderEntry[], box: string | undefined): Promise<string | undefined>;
}

/** The loaded placeholders, and how many of them are stored. */
interface Book {
  placeholders: Placeholders;
  hide: RequestAnonymizer;
  box: string | undefined;
  kept: number;
}

/** Stands first, because the rules at the end of a prompt should come last. */
export const placeholderNote =
  'Texts in angle brackets such as <PERSON_1> stand for private data. Use them as they are, brackets included.\n\n';

function withNote(hidden: ModelRequest): ModelRequest {
  const { length } = placeholderNote;
  return {
    ...hidden,
    system: `${placeholderNote}${hidden.system}`.trim(),
    ...(hidden.system_covered && {
      system_covered: hidden.system_covered.map(({ start, end }) => ({ start: start + length, end: end + length })),
    }),
  };
}

/** A failed load is tried again. */
function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}

const mostTries = 10;

export function makeAnonymizer({
  find,
  entities,
  shelf,
  elsewhere,
  remember = (_, work) => work(),
  loadAllowed = async () => nothingAllowed,
  startsEmpty = false,
}: {
  find: Find;
  entities: readonly PiiEntity[];
  shelf: PlaceholderStore;
  /** The placeholders of the parent conversation that this work is done for. */
  elsewhere?: Pick<PlaceholderStore, 'load'> | undefined;
  remember?: DetectionCache;
  /** Loads the values that are left alone. */
  loadAllowed?: () => Promise<AllowedWords>;
  /** The conversation has no messages yet, so that its placeholders are looked up only when new ones conflict. */
  startsEmpty?: boolean;
}): Anonymizer {
  let isEmpty = startsEmpty;
  let book: Book | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function open(): Promise<Book> {
    const own = isEmpty ? { entries: [], box: undefined } : shelf.load();
    isEmpty = false;
    const [{ entries, box }, there] = await Promise.all([own, elsewhere?.load()]);
    const placeholders = makePlaceholders(entries);
    const hide = makeTextAnonymizer({
      ...{ find, entities, placeholders, remember, loadAllowed: loadOnce(loadAllowed) },
      elsewhere: there?.entries ?? [],
    });
    return { placeholders, hide, box, kept: placeholders.size };
  }

  /**
   * A value found at the end may stand at the beginning too, where it was not detected, so everything is read again.
   */
  async function hideAll(request: ModelRequest, { placeholders, hide }: Book): Promise<ModelRequest> {
    for (;;) {
      const before = placeholders.size;
      const hidden = await anonymizeRequest(request, hide);
      if (placeholders.size === before) return hidden;
    }
  }

  /** Placeholders are stored before they are used. */
  async function hide(request: ModelRequest): Promise<ModelRequest> {
    for (let tries = 0; tries < mostTries; tries++) {
      book ??= await open();
      const { placeholders } = book;
      const hidden = await hideAll(request, book);
      const all = placeholders.size;
      if (all > book.kept) {
        const box = await shelf.keep(placeholders.entries(), book.box);
        // Otherwise another node has assigned the same numbers; ours are assigned again after those.
        book = box === undefined ? undefined : { ...book, box, kept: all };
      }
      if (book) return all ? withNote(hidden) : hidden;
    }
    throw new Error('The placeholders of a conversation could not be kept');
  }

  /** In sequence, so that concurrent requests do not assign the same number to different values. */
  function inTurn(request: ModelRequest): Promise<ModelRequest> {
    const own = last.then(() => hide(request));
    // The caller gets the error; the next request only waits for the end.
    last = own.catch(() => undefined);
    return own;
  }

  return {
    anonymize: inTurn,
    restore: (parts) => (book?.placeholders.size ? revealParts(parts, book.placeholders) : parts),
  };
}
