/** Fewer letters than these say little. */
const leastLetters = 40;
const [windows, windowChars] = [9, 400];
/** So far ahead of all others there is nothing more to be found out. */
const lead = 2;

/** Frequent short words by language. The detection library is loaded only when they do not decide the language. */
const smallWords = new Map(
  Object.entries({
    en: 'the of and to in is that for with was by are from this which be as at were been has have not or an it',
    de: 'der die das und ist von mit den dem im ein eine nicht auf sich auch für als wird werden einer bei zur zum',
    fr: 'le la les des et est une dans que qui pour pas sur par avec sont au aux ce cette du il elle ne ont',
    es: 'el la los las de y es una en que por con para del se su como más fue son no al lo sus',
    it: 'il la le di e è una che per con del della sono non nel alla gli dei come più si da al delle',
    pt: 'o a os as de e é uma em que por com para do da não se no na dos das ao mais foi são',
    nl: 'de het een en van is in dat op met voor niet zijn aan er te door bij ook werd wordt naar uit',
  }).map(([language, words]) => [language, new Set(words.split(' '))]),
);
const [plainShare, plainLead] = [0.15, 1.6];

function bySmallWords(words: readonly string[]): string | undefined {
  const counts = [...smallWords]
    .map(([language, own]) => ({ language, count: words.filter((word) => own.has(word)).length }))
    .sort((a, b) => b.count - a.count);
  const [best, next] = counts;
  if (!best || !next || best.count < words.length * plainShare || best.count < next.count * plainLead) return undefined;
  return best.language;
}

/** A formula or a name in Greek letters does not make an English text Greek. */
function mostlyLatin(words: readonly string[]): readonly string[] {
  const latin = words.filter((word) => /^[\p{Script=Latin}\p{M}'’]+$/u.test(word));
  return latin.length > words.length * 0.7 ? latin : words;
}

/**
 * The language of a text, in two letters: the one that most of several places speak for, as a list of names or a piece of
 * a program can speak for any. Marks and figures are left out.
 */
export async function detectLanguage(text: string): Promise<string | null> {
  const step = Math.max(windowChars, Math.floor(text.length / windows));
  const votes = new Map<string, number>();
  for (let at = 0; at < text.length; at += step) {
    const found = text.slice(at, at + windowChars).toLowerCase();
    const words = mostlyLatin(found.match(/[\p{L}\p{M}'’]+/gu) ?? []);
    const sample = words.join(' ');
    if (sample.length < leastLetters) continue;
    let language = bySmallWords(words);
    if (language === undefined) {
      // The light edition: the larger editions take 50 to 120 MB.
      const { detect } = await import('tinyld/light');
      language = detect(sample);
    }
    if (language) votes.set(language, (votes.get(language) ?? 0) + 1);
    const [best = 0, next = 0] = [...votes.values()].toSorted((a, b) => b - a);
    if (best - next >= lead) break;
  }
  return [...votes].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}
