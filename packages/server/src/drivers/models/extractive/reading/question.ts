import { folded, termsOf } from '../../../../lib/text/terms.ts';
import { genericTerms } from '../words/generic-words.ts';
import { type Language, languageOf } from '../words/language.ts';
import { type AnswerKind, countedWord, kindAsked } from './answer-kinds.ts';

/** A term of a question: how much it counts, and what an answer owes it. */
export interface QuestionTerm {
  term: string;
  /** The word as it stands in the question. */
  written: string;
  weight: number;
  /** A number or code such as 1042 or X200: without it nothing is an answer. */
  required: boolean;
  /** A word such as "cost" or "heavy", which a text with an amount answers without saying it. */
  kind?: AnswerKind | undefined;
}

export interface Question {
  terms: readonly QuestionTerm[];
  language: Language;
  kind: AnswerKind | undefined;
  /** The term of the things that it counts. */
  counted: string | undefined;
  /** The term of what is asked for: "salary" in "the salary of the officer". */
  focus: string | undefined;
  /** The terms of the things that it asks to be listed: "channels" in "Which channels are there?" */
  listed: readonly string[];
  /** The terms of the turn before, which a follow-up goes on about. */
  topic: readonly string[];
}

const kindWords: [AnswerKind, ReadonlySet<string>][] = [
  ['money', new Set(termsOf('cost costs price fee expensive kosten kostet preis teuer coute prix cuesta precio'))],
  ['weight', new Set(termsOf('heavy weigh weight schwer wiegt gewicht poids pese peso pesa lourd'))],
  ['duration', new Set(termsOf('last lasts duration dauer dauert dauern dure duree dura duracion'))],
  ['time', new Set(termsOf('time date day hour datum uhrzeit uhr tag heure jour hora fecha dia open opens'))],
];

/** Words of "how long" and "how many days" say only what kind of thing is asked for. */
const spanTerms = new Set(
  termsOf(
    'long second minute hour day week month year lang sekunde minute stunde tag tage woche monat jahr temps longtemps seconde heure jour semaine mois annee tiempo segundo minuto hora dia semana mes',
  ),
);

/** How much a word counts that says little about the topic. */
export const genericWeight = 0.15;

const focusOf =
  /^(?:\W*)(?:what|which|who|was|wer|wie|welche[rsn]?|quel(?:le)?s?|qui|quoi|cual|quien|que)\b[^?]*? (?!(?:ist|sind|is|are|est|sont|es|son|the|der|die|das|le|la|les|el|los|las|hoch)\b)([\p{L}\p{N}-]+)(?:'s)? (?:of|der|des|von|vom|du|de la|de|des|del|de los|d')\s?\S/u;

const listedIn =
  /^\W*(?:what|which|welche|quel(?:le)?s|cuales|que)(?: (?:are|sind|sont|son|the|die|les|los|las|other|different))* ([\p{L}\p{N}-]+(?: [\p{L}\p{N}-]+)?)/u;

/** "Lind's" or "France" in the middle of a sentence is a name, except in German, where every noun has a capital. */
function namesIn(text: string, language: Language): ReadonlySet<string> {
  if (language === 'de') return new Set();
  const names = [...text.matchAll(/(?<=[\p{Ll}\p{N},;]\s)\p{Lu}[\p{Ll}\p{Lu}'’-]{2,}/gu)].map(([name]) => name);
  return new Set(names.flatMap(termsOf));
}

/** Codes and numbers that name one thing, such as an order or a model. Years and amounts may be written otherwise. */
const isCode = (term: string) => /\d/.test(term) && (/\p{L}/u.test(term) || /^\d{3,}$/.test(term));

/** Reads a question. `topic` is the question before, when this one goes on about it. */
export function readQuestion(text: string, { topic = '', system = '' } = {}): Question {
  const language = languageOf(text, [topic], system);
  const plain = folded(text).replace(/\s+/g, ' ').trim();
  const own = [...new Set(termsOf(text))];
  const names = namesIn(text, language);
  const kind = kindAsked(plain) ?? (topic ? kindAsked(folded(topic)) : undefined);
  const lower = folded(text);
  const writtenAs = new Map(
    (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [])
      .toReversed()
      .flatMap((word) => termsOf(word).map((term) => [term, word])),
  );
  const terms = own.map((term): QuestionTerm => {
    const required = isCode(term);
    const wordKind = kindWords.find(([, words]) => words.has(term))?.[0];
    const ofKind = wordKind === 'time' && kind !== 'time' ? undefined : wordKind;
    const generic = !ofKind && (genericTerms.has(term) || wordKind === 'time');
    const isSpan = (kind === 'duration' || kind === 'span') && spanTerms.has(term);
    const weight = required ? 3 : names.has(term) ? 2 : ofKind ? 0.6 : generic || isSpan ? genericWeight : 1;
    return {
      term,
      written: writtenAs.get(term) ?? term,
      weight,
      required,
      ...(ofKind ? { kind: ofKind } : isSpan && { kind }),
    };
  });
  // "May" is a small word elsewhere, which no text is searched for: without the month there is no answer.
  const month = /\b(?:in|of|since|until|by|during|before|after) (May)\b/.exec(text)?.[1];
  if (month) terms.push({ term: 'month:may', written: month, weight: 2, required: false });
  const focus = termsOf(focusOf.exec(lower)?.[1] ?? '').at(-1);
  const earlier = [...new Set(termsOf(topic))].filter((term) => !own.includes(term) && !genericTerms.has(term));
  const listed = termsOf(listedIn.exec(lower)?.[1] ?? '');
  const counted = kind === 'count' ? termsOf(countedWord(plain) ?? '')[0] : undefined;
  const asked = { language, kind, counted, listed, focus: focus && genericTerms.has(focus) ? undefined : focus };
  // "How much is it?" has no topic of its own.
  if (!terms.some(({ weight }) => weight > genericWeight))
    return {
      ...asked,
      terms: [...terms, ...earlier.map((term) => ({ term, written: term, weight: 1, required: isCode(term) }))],
      topic: [],
    };
  return { ...asked, terms, topic: earlier };
}
