/** Fewer letters than these say little. */
const leastLetters = 40;
const most = 20_000;

/** The language of a text, in two letters. Marks and figures are left out, as they speak for the wrong ones. */
export async function languageOf(text: string): Promise<string | null> {
  const words = text.slice(0, most).match(/[\p{L}\p{M}'’]+/gu) ?? [];
  const sample = words.join(' ');
  if (sample.length < leastLetters) return null;
  // The small edition: the others take 50 to 120 MB.
  const { detect } = await import('tinyld/light');
  return detect(sample) || null;
}
