import type { Token } from './tokenizer.ts';

/** What the model may read of a text, in tokens: this many at once, and this many for each character. Prose needs 0.27. */
const initial = 2000;
const perCharacter = 0.4;
/** What a word costs that is not cached, besides its reading. */
const newWord = 1.25;

const isWord = /\p{L}/u;
const isCapitalised = /^\p{Lu}/u;
const isLower = /\p{Ll}/u;

/** An unknown word with the same capitals. It is cached, so that words that are on no list cost no more than known ones. */
function standInFor(word: string): string {
  if (!isCapitalised.test(word)) return 'zorblan';
  return isLower.test(word) ? 'Zorblan' : 'ZORBLAN';
}

export interface ReadingBudget {
  /** The tokens of a window that the model reads. */
  spend(window: readonly Token[]): readonly Token[];
}

/**
 * Keeps the cost of a text proportional to its length. The model pays for tokens, and a text of signs or single letters has
 * five times as many of them as prose. Text that needs much more than prose is read without its signs, numbers and single
 * letters, and its unknown words are read as one.
 */
export function makeReadingBudget({
  isFree,
  isCached,
  isListed,
}: {
  /** Whether these words were read just now. */
  isFree(words: readonly string[]): boolean;
  isCached(word: string): boolean;
  isListed(word: string): boolean;
}): ReadingBudget {
  let left = initial;
  let earned = 0;

  function costOf(window: readonly Token[]): number {
    const words = window.map(({ text }) => text);
    if (isFree(words)) return 0;
    return words.length + newWord * new Set(words.filter((word) => !isCached(word))).size;
  }

  const reduce = (window: readonly Token[]) =>
    window.flatMap((token) => {
      const { text } = token;
      if (text.length < 2 || !isWord.test(text)) return [];
      return isCached(text) || isListed(text) ? [token] : [{ ...token, text: standInFor(text) }];
    });

  return {
    spend(window) {
      const end = window.at(-1)?.end ?? earned;
      left += (end - earned) * perCharacter;
      earned = end;
      const cost = costOf(window);
      const tokens = cost <= left ? window : reduce(window);
      left -= tokens === window ? cost : costOf(tokens);
      return tokens;
    },
  };
}
