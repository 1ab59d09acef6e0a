import { stopWords } from './stop-words.ts';

/** Scripts without spaces are read in pairs of characters. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu;
const word = /[\p{L}\p{N}\p{M}]+/gu;

/** Normalises width, case and the marks of Latin, Greek and Cyrillic letters. */
export const folded = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[’']s\b/g, '');

const latinEndings = /(?:ations?|ments?|ness|ingly|ings?|edly|ed|ers?|es|ens?|e|s|ly|ns?)$/;
const cyrillicEndings =
  /(?:ами|ями|ого|его|ому|ему|ыми|ими|ах|ях|ов|ев|ей|ий|ый|ой|ая|яя|ое|ее|ые|ие|ам|ям|ом|ем|ую|юю|а|я|о|е|ы|и|у|ю|ь)$/;

/** Light stemming: the ending goes when enough of the word stays. Good enough to match a plural with its singular. */
function stem(term: string): string {
  if (term.length < 4 || /\d/.test(term)) return term;
  if (/^[a-z]{2,}(?:y|ies|ied)$/.test(term)) return term.replace(/(?:y|ies|ied)$/, 'i');
  const ending = (/^[a-z]+$/.test(term) ? latinEndings : /^[а-яіїє]+$/.test(term) ? cyrillicEndings : undefined)?.exec(
    term,
  );
  const kept = ending && ending.index >= 3 ? term.slice(0, ending.index) : term;
  // running, runn, run
  return /([bdglmnprt])\1$/.test(kept) && kept.length > 3 ? kept.slice(0, -1) : kept;
}

function* pairs(run: string): Generator<string> {
  const signs = Array.from(run);
  if (signs.length === 1) yield run;
  for (let at = 0; at + 1 < signs.length; at++) yield `${signs[at]}${signs[at + 1]}`;
}

/** The terms of a text in order, with repetitions: stems without stop words. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  const whole = folded(text);
  const spaced = whole.replace(unspaced, (run) => {
    for (const pair of pairs(run)) if (!stopWords.has(pair)) terms.push(pair);
    return ' ';
  });
  for (const [found] of spaced.matchAll(word)) if (!stopWords.has(found)) terms.push(stem(found));
  return terms;
}
