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

/** When a person signs out, nothing of theirs stays behind in this browser. */
export function forgetDrafts(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Nothing was kept.
  }
}
