/** Fewer letters than these say little. */
const leastLetters = 40;
const [windows, windowChars] = [9, 400];

/**
 * The language of a text, in two letters: the one that most of several places speak for, as a list of names or a piece of
 * a program can speak for any. Marks and figures are left out.
 */
export async function languageOf(text: string): Promise<string | null> {
  const step = Math.max(windowChars, Math.floor(text.length / windows));
  const votes = new Map<string, number>();
  for (let at = 0; at < text.length; at += step) {
    const words = text.slice(at, at + windowChars).match(/[\p{L}\p{M}'’]+/gu) ?? [];
    const sample = words.join(' ');
    if (sample.length < leastLetters) continue;
    // The small edition: the others take 50 to 120 MB.
    const { detect } = await import('tinyld/light');
    const language = detect(sample);
    if (language) votes.set(language, (votes.get(language) ?? 0) + 1);
  }
  return [...votes].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}
