import { folded, termsOf } from '../../../../lib/text/terms.ts';
import { hasKind } from './answer-kinds.ts';
import type { AnswerUnit } from './answer-units.ts';
import type { TermMatcher } from './match-terms.ts';
import { genericWeight, type Question } from './question.ts';

/** Words at the beginning of a sentence that is not understood without the one before it. */
const refersBack =
  /^(?:it|its|they|their|them|he|she|his|her|this|that|these|those|such|there|then|otherwise|however|but|also|except|exceptions?|instead|therefore|in (?:that|this|such) case|if not|only|unless|after that|afterwards|both|neither|er|es|sie|ihr|ihre|dies|diese[rsnm]?|das|dann|danach|sonst|andernfalls|jedoch|aber|auch|ausser|ausgenommen|davon|dazu|dafur|dabei|damit|deshalb|daher|nur|in diesem fall|il|elle|ils|elles|cela|ceci|ca|ce|cette|ces|mais|sinon|toutefois|cependant|aussi|sauf|ensuite|puis|donc|seulement|dans ce cas|ello|esto|eso|este|esta|estos|estas|ellos|ellas|pero|sin embargo|si no|tambien|excepto|salvo|entonces|despues|solo|en este caso)\b/;

const [mostSentences, mostCharacters] = [4, 700];
/** A paragraph as short as this is quoted whole. */
const [shortSentences, shortCharacters] = [3, 300];

/** A sentence with the neighbours in its paragraph that it needs to be understood, or that carry more of the question. */
export function widenQuote(
  question: Question,
  { paragraph, at = 0, lines, over }: AnswerUnit,
  match: TermMatcher,
): string[] {
  if (!paragraph) return lines;
  const all = paragraph.join(' ');
  if (paragraph.length <= shortSentences && all.length <= shortCharacters) return [all];
  let [from, to] = [at, at];
  const sentence = (index: number) => paragraph[index] ?? '';
  const isBound = (index: number) => refersBack.test(folded(sentence(index)));
  const quoted = () => paragraph.slice(from, to + 1).join(' ');
  const fits = (index: number) =>
    index >= 0 &&
    index < paragraph.length &&
    to - from + 1 < mostSentences &&
    quoted().length + sentence(index).length <= mostCharacters;
  const missing = () => {
    const terms = new Set([...termsOf(quoted()), ...over]);
    return question.terms.filter(({ term, weight }) => weight > genericWeight && match(term, terms) === 0);
  };
  const adds = (index: number) => {
    const terms = new Set(termsOf(sentence(index)));
    return missing().some(({ term }) => match(term, terms) > 0);
  };
  const has = (text: string) => question.kind !== undefined && hasKind(question.kind, text, folded(text));

  while (isBound(from) && fits(from - 1)) from--;
  while (fits(to + 1) && (isBound(to + 1) || adds(to + 1) || (!has(quoted()) && has(sentence(to + 1))))) to++;
  while (fits(from - 1) && (adds(from - 1) || isBound(from))) from--;
  return [quoted()];
}
