import { termsOf } from '../../../../lib/text/terms.ts';
import type { Passage } from '../passages.ts';
import { type AnswerUnit, unitsOf } from './answer-units.ts';
import { makeTermMatcher, type TermMatcher } from './match-terms.ts';
import { genericWeight, type Question } from './question.ts';
import { type ScoredUnit, scoreUnit } from './score-unit.ts';
import { widenQuote } from './widen-quote.ts';

export interface Quote {
  lines: string[];
  title: string;
  url: string | null;
  /** How much of the question it carries: 0 nothing, 1 everything. */
  coverage: number;
  /** Words of the question that neither it nor the headings above it have. */
  missing: string[];
}

/** The most characters that are ranked; the rest of a long history is ignored. */
const max_characters = 400_000;
/** Quotes beside the best one have at least this share of its score. */
const near = 0.8;
const mostRows = 8;

function unitsIn(passages: readonly Passage[]): AnswerUnit[] {
  let left = max_characters;
  return passages.flatMap((passage, rank) => {
    const text = passage.text.slice(0, left);
    left -= text.length;
    return unitsOf(passage, text, rank);
  });
}

/** How rare a term is among the units, from 1 for one that all have to 1.6. */
function makeRarity(units: readonly AnswerUnit[], terms: readonly string[]): (term: string) => number {
  const holding = new Map(terms.map((term) => [term, units.filter((unit) => unit.terms.has(term)).length]));
  const most = Math.log(units.length + 1) || 1;
  return (term) => 1 + 0.6 * Math.max(0, Math.log((units.length + 1) / ((holding.get(term) ?? 0) + 0.5)) / most);
}

/** The words of a question that a quote does not carry. Small words, and those that ask for a kind of thing, are no condition. */
function missingIn(
  { terms }: Question,
  { over, above, beside }: AnswerUnit,
  lines: readonly string[],
  match: TermMatcher,
) {
  const said = new Set([...lines.flatMap(termsOf), ...over, ...above, ...beside]);
  return terms.flatMap(({ term, written, weight, kind }) =>
    weight > genericWeight && !kind && match(term, said) === 0 ? written : [],
  );
}

const flat = (lines: readonly string[]) => lines.join(' ').replace(/\s+/g, ' ');

/** The best parts of the passages whose words carry the question, best first; none where no part does. */
export function rankAnswers(question: Question, passages: readonly Passage[], most = 3): Quote[] {
  const units = unitsIn(passages);
  if (question.terms.length === 0 || units.length === 0) return [];
  const terms = [...question.terms.map(({ term }) => term), ...question.topic];
  const vocabulary = new Set<string>();
  for (const set of new Set(units.flatMap(({ within, above, over }) => [within, above, over])))
    for (const term of set) vocabulary.add(term);
  const match = makeTermMatcher(terms, vocabulary, question.language);
  const pool = { rarity: makeRarity(units, terms), isKnown: (term: string) => match(term, vocabulary) > 0 };
  const scored = units
    .flatMap((unit): ScoredUnit[] => {
      const own = scoreUnit(question, unit, match, pool);
      return own ? [own] : [];
    })
    .sort((one, other) => other.score - one.score || one.unit.rank - other.unit.rank);
  const best = scored[0]?.score ?? 0;
  const quotes: Quote[] = [];
  for (const { unit, coverage, score } of scored) {
    // Rows that fit the question equally well belong to the answer together.
    const limit = unit.kind === 'row' && score > 0.97 * best ? mostRows : most;
    if (quotes.length >= limit || score < near * best) break;
    const lines = widenQuote(question, unit, match);
    const said = flat(lines);
    const repeats = quotes.some((quote) => flat(quote.lines).includes(said) || said.includes(flat(quote.lines)));
    const missing = missingIn(question, unit, lines, match);
    if (!repeats) quotes.push({ lines, title: unit.passage.title, url: unit.passage.url, coverage, missing });
  }
  return quotes;
}
