const longest = 400;
/** Of a word this much is looked for: its ending may be another. */
const stem = 6;

const wordsOf = (text: string) =>
  new Set((text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).map((word) => word.slice(0, stem)));

/** Sentences and lines, each up to where the next begins. */
const sentence = /[^\n]+?(?:[.!?…]["'”’»)\]]*(?=\s)|[。！？]|\n|$)\s*/gu;

/**
 * A piece of a passage, just as it stands there, to show why it was found: from the sentence that has most words of the
 * question, as many whole ones as there is room for.
 */
export function quotePassage(content: string, question: string): string {
  if (content.length <= longest) return content;
  const asked = wordsOf(question);
  const places = [...content.matchAll(sentence)].map(({ 0: text, index }) => ({
    start: index,
    end: index + text.length,
  }));
  const fit = ({ start, end }: { start: number; end: number }) =>
    wordsOf(content.slice(start, end)).intersection(asked).size;
  const best = places.reduce(
    (found, place, at) => {
      const own = fit(place);
      return own > found.fit ? { at, fit: own } : found;
    },
    { at: 0, fit: 0 },
  );
  const start = places[best.at]?.start ?? 0;
  const whole = places.slice(best.at).findLast(({ end }) => end - start <= longest);
  return content.slice(start, whole?.end ?? start + longest).trim();
}
