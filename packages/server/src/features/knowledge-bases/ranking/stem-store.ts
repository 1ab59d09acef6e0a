import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { ownStopWords } from './own-stop-words.ts';
import { foldMarks } from './split-words.ts';

/** The dictionaries of PostgreSQL by the languages of the index: stems and full lists of stop words. */
const dictionaries: Record<string, string> = {
  ...{ ar: 'arabic', da: 'danish', de: 'german', el: 'greek', en: 'english', es: 'spanish', fi: 'finnish' },
  ...{ fr: 'french', hu: 'hungarian', it: 'italian', nb: 'norwegian', nl: 'dutch', no: 'norwegian', pt: 'portuguese' },
  ...{ ro: 'romanian', ru: 'russian', sv: 'swedish', ta: 'tamil', tr: 'turkish' },
};

const wordsAtOnce = 20_000;
/** The words of a question are asked for before each search; longer ones are no words of a language. */
const longestWord = 60;

/** The stems of words in a language, without accents; null for stop words. */
export async function findStems(db: Db, words: readonly string[], language: string | null): Promise<(string | null)[]> {
  const dictionary = dictionaries[language ?? ''];
  const stops = ownStopWords[language ?? ''];
  if (dictionary === undefined) return words.map((word) => foldMarks(word));
  const stems: (string | null)[] = [];
  for (let at = 0; at < words.length; at += wordsAtOnce) {
    const part = words.slice(at, at + wordsAtOnce);
    const asked = part.map((word) => (word.length > longestWord || word.includes('\0') ? '' : word));
    const rows = await db.rows<{ stems: string[] | null }>(sql`
      select ts_lexize(${`${dictionary}_stem`}::text::regdictionary, own.word) as stems
      from unnest(${asked}::text[]) with ordinality as own (word, place) order by own.place`);
    part.forEach((word, place) => {
      const found = rows[place]?.stems ?? null;
      const isStop = stops?.has(word) || (asked[place] !== '' && found?.length === 0);
      stems.push(isStop ? null : foldMarks(found?.[0] || word));
    });
  }
  return stems;
}
