/** Entries that have every word; those that have them all at the beginning of words come first. */
export function filterEntries<E extends { label: string }>(entries: readonly E[], text: string): E[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isStart = (label: string, word: string) => label.startsWith(word) || label.includes(` ${word}`);
  const ranked = entries.flatMap((entry) => {
    const label = entry.label.toLowerCase();
    if (!words.every((word) => label.includes(word))) return [];
    return { entry, rank: words.every((word) => isStart(label, word)) ? 0 : 1 };
  });
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ entry }) => entry);
}
