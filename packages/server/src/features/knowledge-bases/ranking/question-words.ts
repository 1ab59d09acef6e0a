import type { Database } from '../../../db/database.ts';
import { LruCache } from '../../../lib/lru-cache.ts';
import { splitUnspacedQuestion } from '../../../lib/text/split-unspaced-text.ts';
import { countWords, type QuestionWord } from './parse-question.ts';
import { wordsIn } from './split-words.ts';
import { findStems } from './stem-store.ts';

const mostStems = 50_000;

/** Splits questions into words with their stems. Stems are looked up once. */
export function makeReadQuestion(db: Database) {
  const known = new LruCache<string, { stem: string | null }>({ max: mostStems });
  return async (question: string, language: string | null): Promise<QuestionWord[]> => {
    const words = wordsIn(splitUnspacedQuestion(question));
    const keyOf = (word: string) => `${language} ${word}`;
    const found = new Map<string, string | null>();
    for (const word of words) {
      const own = known.get(keyOf(word));
      if (own) found.set(word, own.stem);
    }
    const missing = [...new Set(words.filter((word) => !found.has(word)))];
    const stems = missing.length ? await findStems(db, missing, language) : [];
    missing.forEach((word, at) => {
      const stem = stems[at] ?? null;
      found.set(word, stem);
      known.set(keyOf(word), { stem });
    });
    return countWords(
      words,
      words.map((word) => found.get(word) ?? null),
    );
  };
}
