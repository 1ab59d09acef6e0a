import { folded, termsOf } from '../../../lib/text/terms.ts';
import { genericTerms } from './words/generic-words.ts';

/** A question that goes on about the one before says so, or has a pronoun and little else. */
const opens =
  /^\W*(?:(?:and|und|et|y|e|but|aber|mais|pero|also|auch|or|oder|ou|then|dann)\b|(?:what|how) about\b|what if\b|same for\b|(?:was|wie) ist (?:es )?mit\b|wie sieht es\b|(?:und )?fur\b|qu'?en est[- ]il\b|et pour\b|que hay de\b|que pasa con\b|y para\b)/;
const pronoun =
  /\b(?:it|its|that|they|them|their|those|these|one|ones|there|he|she|him|her|his|hers|er|es|sie|ihn|ihm|ihr|ihre|dort|davon|dafur|damit|dazu|darauf|il|elle|ils|elles|lui|leur|cela|ca|celui|celle|ello|ella|ellos|ellas|eso|esto|este|esta|le|les)\b/;
const [mostTerms, mostTurns] = [3, 3];
const longest = 600;

const topicTerms = (text: string) => [...new Set(termsOf(text))].filter((term) => !genericTerms.has(term));

/** Whether a question cannot be understood without the one before. */
const needsTopic = (question: string) => {
  const plain = folded(question).trim();
  const { length } = topicTerms(question);
  return length === 0 || (length <= mostTerms && (opens.test(plain) || pronoun.test(plain)));
};

/** A question in the ways that it can be understood, the likeliest first. `topic` is the question before, or empty. */
export interface Reading {
  question: string;
  topic: string;
}

/** Reads a question among those before it, the newest last. Long messages are no questions to go on about. */
export function readingsOf(question: string, before: readonly string[]): Reading[] {
  const alone = { question, topic: '' };
  const topics: string[] = [];
  for (const earlier of before.toReversed()) {
    if (earlier.length > longest || topics.length >= mostTurns) break;
    if (topicTerms(earlier).length === 0) continue;
    topics.unshift(earlier);
    if (!needsTopic(earlier)) break;
  }
  const { length } = topicTerms(question);
  if (topics.length === 0 || length > mostTerms) return [alone];
  const together = { question, topic: topics.join('\n') };
  if (length === 0) return [together];
  return needsTopic(question) ? [together, alone] : [alone, together];
}
