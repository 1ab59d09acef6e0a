import { type Passage, passagesIn } from './passages.ts';
import type { Turn, TurnToolCall } from './read-turn.ts';
import { type Quote, rankAnswers } from './reading/rank-answers.ts';

export const foundBy = (made: readonly TurnToolCall[]): Passage[] =>
  made.flatMap(({ result }) => (result ? passagesIn(result) : []));

/** The quotes that carry the question, as it is most likely understood; none where no text at hand does. */
export function findAnswer(turn: Turn): Quote[] {
  // Results of SQL are figures of this model's own queries; they are no text to quote.
  const passages = [...foundBy(turn.made.filter(({ name }) => name !== 'tables_sql')), ...turn.given];
  for (const { question } of turn.readings) {
    const quotes = rankAnswers(question, passages);
    if (quotes.length > 0) return quotes;
  }
  return [];
}
