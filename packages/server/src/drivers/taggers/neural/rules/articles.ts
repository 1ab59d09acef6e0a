import type { Run } from '../viterbi.ts';

/** Articles of Romance and Germanic languages. Names have some of them too, but then a capital follows: "El Khoury". */
const articles = new Set(
  'el la los las un una unos unas le les une des il lo gli i uno der die das den dem ein eine einen einem het een o os um uma det ett en'.split(
    ' ',
  ),
);
const particles = new Set('la las los der den de del di da al el ben bin'.split(' '));
const capital = /^\p{Lu}/u;
const small = /^\p{Ll}/u;

/** Drops "people" that are the beginning of a sentence in another language: an article and a word in small letters ("Le colis"). */
export function dropArticles(words: readonly string[], runs: readonly Run[]): Run[] {
  return runs.filter(({ kind, first, end }) => {
    const [word, next] = [words[first] as string, words[first + 1]];
    if (kind !== 'PERSON' || end - first < 2 || next === undefined) return true;
    if (!capital.test(word) || !articles.has(word.toLowerCase())) return true;
    return !small.test(next) || particles.has(next);
  });
}
