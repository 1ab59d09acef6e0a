import { idfOf, type SearchModel, stemKey } from './search-model.ts';

/** A word of a question with its stem; null: a stop word. */
export interface QuestionWord {
  word: string;
  stem: string | null;
  count: number;
}

/** Counts the words of a question. `stems`: of its words, in the order of `wordsIn`. */
export function countWords(words: readonly string[], stems: readonly (string | null)[]): QuestionWord[] {
  const counted = new Map<string, QuestionWord>();
  words.forEach((word, at) => {
    const known = counted.get(word);
    if (known) known.count++;
    else counted.set(word, { word, stem: stems[at] ?? null, count: 1 });
  });
  return [...counted.values()];
}

/** The words that are searched for: without stop words, unless the question has no others. */
export function keptWords(
  words: readonly QuestionWord[],
  { count_question_terms, question_stop_words }: { count_question_terms: boolean; question_stop_words: boolean },
): QuestionWord[] {
  const others = words.filter(({ stem }) => stem !== null);
  const kept = question_stop_words && others.length ? others : words;
  return count_question_terms ? kept.map((word) => ({ ...word })) : kept.map((word) => ({ ...word, count: 1 }));
}

/** A term that passages are scored by; `weight` is how often the question has it, or its share of the feedback. */
export interface WeightedTerm {
  /** Its number in the model; terms that the model does not know have the numbers after the model's. */
  term: number;
  /** A word of it, for people. */
  word: string;
  weight: number;
  idf: number;
}

export interface ParsedQuestion {
  terms: WeightedTerm[];
  /** Finds the term of a word of a passage; -1: a stop word, -2: a word that the model and the question do not have. */
  termOf(word: string): number;
  /** Its words with the beginnings that their other forms share. */
  forms: readonly { word: string; beginning: string }[];
  /** Whether stop words are among its terms. */
  hasStopWords: boolean;
}

/** So many letters an ending of a word has at most. */
export const longestEnding = 4;

/** Joins the words of a question to terms of the model, and finds these terms in passages. */
export function parseQuestion(model: SearchModel, words: readonly QuestionWord[]): ParsedQuestion {
  const terms = new Map<number, WeightedTerm>();
  const unknown = new Map<string, number>();
  const stems: { word: string; beginning: string; term: number }[] = [];
  for (const { word, stem, count } of words) {
    const base = stem ?? word;
    // With the stop words on, those of the model are terms of their own.
    const known = model.termOf.get(word) ?? model.termOf.get(stemKey(base)) ?? -2;
    const term = known >= 0 ? known : (unknown.get(base) ?? model.frequencies.length + unknown.size);
    if (known < 0) unknown.set(base, term);
    // Stems of words with a y end in i, which not all forms of the word have: salary, salaries.
    stems.push({ word, beginning: base.length > 3 && base.endsWith('i') ? base.slice(0, -1) : base, term });
    const own = terms.get(term);
    if (own) own.weight += count;
    else terms.set(term, { term, word, weight: count, idf: idfOf(model, term) });
  }
  const stopTerms = new Map(
    words.flatMap(({ word, stem }) => (stem === null ? [[word, unknown.get(word) ?? -1]] : [])),
  );
  const termOf = (word: string): number => {
    const known = model.termOf.get(word);
    if (known === -1) return stopTerms.get(word) ?? -1;
    if (known !== undefined) return known;
    // A form of a word that no two passages had when the model was learned.
    for (const { word: asked, beginning, term } of stems)
      if (word === asked || (word.startsWith(beginning) && word.length - beginning.length <= longestEnding))
        return term;
    return -2;
  };
  const hasStopWords = [...stopTerms.values()].some((term) => term >= 0);
  return { terms: [...terms.values()], termOf, forms: stems, hasStopWords };
}
