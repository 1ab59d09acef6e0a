import { folded, termsOf } from '../../../lib/text/terms.ts';
import { genericTerms } from './words/generic-words.ts';

/** How a question begins that goes on about the one before. */
const opens =
  /^\W*(?:(?:and|und|et|y|e|but|aber|mais|pero|also|auch|or|oder|ou|then|dann)\b|(?:what|how) about\b|what if\b|same for\b|(?:was|wie) ist (?:es )?mit\b|wie sieht es\b|qu'?en est[- ]il\b|que hay de\b|que pasa con\b)/;
/** A part of a sentence: "in Germany?", "für Kinder?". */
const fragment =
  /^\W*(?:in|to|from|for|with|without|on|at|of|after|before|nach|im|aus|fur|mit|ohne|bei|vor|pour|en|au|avec|sans|apres|avant|para|con|sin)\b/;
const asks =
  /\b(?:what|which|who|whom|whose|when|where|why|how|is|are|does|do|can|may|was|welche[rsnm]?|wer|wem|wen|wann|wo|warum|wie|ist|sind|gibt|kann|darf|hat|quel(?:le)?s?|qui|quand|ou|pourquoi|comment|combien|est|sont|cual(?:es)?|quien(?:es)?|cuando|donde|como|cuant[oa]s?|hay|es|son)\b/;
/** Words that stand for something that was said. */
const pronoun =
  /\b(?:it|its|that|they|them|their|those|these|this|one|ones|there|he|she|him|her|his|hers|er|es|sie|ihn|ihm|ihr|ihre[nmrs]?|dort|davon|dafur|damit|dazu|darauf|il|elle|ils|elles|lui|leur|cela|ca|celui|celle|ello|ella|ellos|ellas|eso|esto)\b/;
/** Phrases in which such words stand for nothing: "is there", "how long does it take to …", "this week". */
const empty =
  /\b(?:is|are|was|were|will|be|can|must) there\b|\bthere (?:is|are|was|were)\b|\bit (?:takes?|costs?|is|be) (?=(?:\w+ )*to \w)|\bis it (?:possible|allowed|necessary|permitted|ok|okay)\b|\b(?:gibt|geht|dauert|kostet|ist|braucht|bedarf) es\b|\bes (?:gibt|ist|dauert|kostet|braucht)\b|\b(?:y a-t-|est-|faut-|a-t-)il\b|\bil (?:y a|faut|est|existe|s'agit)\b|\best[- ]ce\b|\b(?:this|that|these|those) (?!(?:is|are|was|were|has|have|had|can|will|do|does|did|one|ones|too|also)\b)(?=[\p{L}-]{3,})|\b(?:konnen|mochten|haben|wollen|mussen|durfen) sie\b|\b(?:el|la|los|las|es) que\b/gu;
/** "das" that stands for something: "Wie lange dauert das?" */
const alone = /\b(?:das|dies|ca|cela|eso)\W*$/;
const possessive = /\b(?:their|its|his|her|hers|ihr|ihre[nmrs]?|leurs?)\b/g;
/** A subordinate clause may go on about the things of its own sentence. */
const clause =
  /\b(?:when|if|after|before|because|while|once|until|unless|wenn|falls|nachdem|bevor|weil|sobald|solange|quand|lorsque|cuando|mientras)\b/;
/** A verb behind its subject is nothing that a later word could stand for: "who pays for their …", "can I change its …". */
const bareVerb = /^\W*(?:who|wer|qui|quien)\s+[\p{L}-]+|\b(?:i|we|you|ich|wir|man|je|nous|yo)\s+[\p{L}-]+/gu;
const [mostTerms, mostTurns] = [3, 3];
const longest = 600;

const topicTerms = (text: string) => [...new Set(termsOf(text))].filter((term) => !genericTerms.has(term));

const namesThing = (text: string) => topicTerms(text.replace(bareVerb, ' ')).length > 0;

/** Leaves out words that stand for something in the question itself, and those that stand for nothing. */
function withoutOwnReferences(question: string): string {
  // German "Sie" and "Ihr" with a capital address the reader.
  const plain = folded(question.replace(/(?<=\p{Ll}\s)(?:Sie|Ihnen|Ihre?[nmrs]?)\b/gu, ' '))
    .replaceAll('’', "'")
    .replace(empty, ' ')
    .replace(possessive, (word, at: number, whole: string) =>
      namesThing(whole.slice(0, at)) || /^\w+ (?:own|eigene)/.test(whole.slice(at)) ? ' ' : word,
    );
  const at = plain.search(clause);
  return at > 0 && namesThing(plain.slice(0, at)) ? plain.slice(0, at) : plain;
}

/** Whether a question cannot be understood without the one before. */
const needsTopic = (question: string) => {
  const plain = folded(question).replaceAll('’', "'").trim();
  const { length } = topicTerms(question);
  if (length === 0) return true;
  if (length > mostTerms) return false;
  const referring = withoutOwnReferences(question);
  if (pronoun.test(referring) || alone.test(referring)) return true;
  // "And who teaches the course?" has all that it needs, "and to Germany?" has not.
  const isWhole = asks.test(plain.replace(opens, ' '));
  if (opens.test(plain)) return !isWhole || termsOf(question).length < 2;
  return !isWhole && fragment.test(plain);
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
  if (topics.length === 0) return [alone];
  const together = { question, topic: topics.join('\n') };
  if (topicTerms(question).length === 0) return [together];
  // A question that stands on its own is never mixed with the words of another.
  return needsTopic(question) ? [together, alone] : [alone];
}
