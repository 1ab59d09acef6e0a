/** Texts that were typed but not sent or saved, kept in the browser by workspace and place. */
const prefix = 'atrium.draft.';

export function keepDraft(key: string, value: string): void {
  try {
    if (value) localStorage.setItem(prefix + key, value);
    else localStorage.removeItem(prefix + key);
  } catch {
    // A browser that keeps nothing: the text stays in the page only.
  }
}

export function readDraft(key: string): string {
  try {
    return localStorage.getItem(prefix + key) ?? '';
  } catch {
    return '';
  }
}

/** The keys of the drafts that begin so. */
export function draftKeys(beginning: string): string[] {
  try {
    const whole = prefix + beginning;
    return Object.keys(localStorage).flatMap((key) => (key.startsWith(whole) ? key.slice(prefix.length) : []));
  } catch {
    return [];
  }
}

/** Tells of drafts that another window of this browser has changed, by their keys. */
export const onDraftOfOtherWindow = (listener: (key: string) => void): void =>
  globalThis.addEventListener?.('storage', ({ key }) => {
    if (key?.startsWith(prefix)) listener(key.slice(prefix.length));
  });

const composers = new Map<string, (words: string) => void>();

/** Tells the field of a draft when words come back to it; returns how to end that. */
export function onReturnedWords(key: string, listener: (words: string) => void): () => void {
  composers.set(key, listener);
  return () => {
    if (composers.get(key) === listener) composers.delete(key);
  };
}

/** Words that were not sent, before those that were typed since. */
export const joinReturned = (words: string, typed: string): string => (typed.trim() ? `${words}\n\n${typed}` : words);

/** Puts words that were not sent back to where they were typed, also while that field is not in the page. */
export function returnWords(key: string, words: string): void {
  const listener = composers.get(key);
  if (listener) listener(words);
  else keepDraft(key, joinReturned(words, readDraft(key)));
}

/** When a person signs out, nothing of theirs stays behind in this browser. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
