/** The terms of a text in order: words without endings and without stop words. */
export type TermsOf = (text: string) => string[];

/** A word as it is kept of a conversation. */
interface KeptWord {
  count: number;
  /** As it was written. */
  surface: string;
  /** It is never written in small letters: it may be a person's name. */
  capital: boolean;
}

/** The words of a conversation that it is sorted by. */
export interface Words {
  words: Record<string, KeptWord>;
  /** Two words that stand next to each other, by their terms. */
  pairs: Record<string, KeptWord>;
}

/** Words that occur in conversations about any topic. */
const small = new Set(
  (
    'hello hi hey thanks thank please help question problem issue want need would could really still again already also ' +
    'today yesterday tomorrow morning evening day week month year time thing something anything nothing someone anyone ' +
    'hallo danke bitte hilfe frage problem moechte brauche bonjour merci aide hola gracias ayuda ciao grazie ' +
    'yes okay sure good great fine well maybe dear regards best sorry'
  ).split(' '),
);

const mostWords = 40;
const mostPairs = 20;
const longestText = 20_000;
const token = /[\p{L}\p{M}][\p{L}\p{M}\p{N}’'-]*|[^\s\p{L}\p{M}\p{N}]/gu;
/** What the anonymizer put in place of a private value. */
const placeholder = /<[A-Z_]+_\d+>/g;

function add(to: Map<string, KeptWord>, key: string, surface: string, capital: boolean): void {
  const known = to.get(key);
  if (!known) to.set(key, { count: 1, surface, capital });
  else {
    known.count += 1;
    // Written small anywhere, it is a word.
    if (known.capital && !capital) Object.assign(known, { surface, capital });
  }
}

const mostFrequent = (from: Map<string, KeptWord>, most: number) =>
  Object.fromEntries(
    [...from].toSorted(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1)).slice(0, most),
  );

/** The words of an anonymized text. */
export function wordsOf(text: string, termsOf: TermsOf): Words {
  const words = new Map<string, KeptWord>();
  const pairs = new Map<string, KeptWord>();
  let before: { term: string; surface: string; capital: boolean } | undefined;
  for (const [surface] of text.slice(0, longestText).replaceAll(placeholder, ' . ').matchAll(token)) {
    const lower = surface.toLowerCase();
    const terms = lower.length < 3 && !/\p{Script=Han}/u.test(lower) ? [] : termsOf(lower);
    const [term] = terms;
    if (term === undefined || small.has(lower)) {
      before = undefined;
      continue;
    }
    const capital = surface !== lower;
    for (const one of terms) add(words, one, terms.length === 1 ? lower : one, capital);
    const here = { term, surface: lower, capital };
    if (before && before.term !== term)
      add(pairs, `${before.term} ${term}`, `${before.surface} ${lower}`, before.capital || capital);
    before = here;
  }
  return { words: mostFrequent(words, mostWords), pairs: mostFrequent(pairs, mostPairs) };
}
