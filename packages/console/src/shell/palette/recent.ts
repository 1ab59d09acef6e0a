export interface Recent {
  href: string;
  title: string;
}

/** The page that was opened last comes first; each address stands once. */
export function withRecent(list: readonly Recent[], page: Recent, most = 8): Recent[] {
  const path = page.href.split(/[?#]/, 1)[0];
  return [page, ...list.filter(({ href }) => href.split(/[?#]/, 1)[0] !== path)].slice(0, most);
}

const keyOf = (workspaceId: string) => `atrium.draft.recent.${workspaceId}`;

export function readRecent(workspaceId: string): Recent[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(workspaceId)) ?? '[]');
    if (!Array.isArray(stored)) return [];
    return stored.filter(
      (entry): entry is Recent =>
        typeof entry?.href === 'string' &&
        entry.href.startsWith(`/w/${workspaceId}/`) &&
        typeof entry.title === 'string',
    );
  } catch {
    return [];
  }
}

/** Kept beside the drafts: it goes when the person signs out. */
export function keepRecent(workspaceId: string, page: Recent): void {
  try {
    localStorage.setItem(keyOf(workspaceId), JSON.stringify(withRecent(readRecent(workspaceId), page)));
  } catch {
    // The browser keeps nothing.
  }
}
