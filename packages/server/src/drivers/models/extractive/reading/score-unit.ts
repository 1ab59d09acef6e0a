import { folded, termsOf } from '../../../../lib/text/terms.ts';
import { type AnswerKind, hasKind, namesSomeone } from './answer-kinds.ts';
import type { AnswerUnit } from './answer-units.ts';
import type { TermMatcher } from './match-terms.ts';
import { genericWeight, type Question } from './question.ts';

export interface ScoredUnit {
  unit: AnswerUnit;
  /** How much of the question it carries: 0 nothing, 1 everything. */
  coverage: number;
  score: number;
}

/** What is known of the terms of a question in all units together. */
export interface PoolFigures {
  rarity(term: string): number;
  isKnown(term: string): boolean;
}

/** How much the places around a unit count for it. */
const [overUnit, aboveUnit, besideUnit, withinPassage] = [0.9, 0.8, 0.65, 0.2];

/** Questions for these are answered by a text that has such a thing. */
const measured: ReadonlySet<AnswerKind | undefined> = new Set(['span', 'duration', 'money', 'weight', 'count']);

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** A long question need not be carried by every word; of a short one nothing may be missing. */
function neededCoverage(question: Question): number {
  const whole = question.terms.reduce((sum, { weight }) => sum + weight, 0);
  // Scripts without spaces are compared by pairs of characters, half of which span two words.
  if (question.terms.some(({ term }) => unspaced.test(term))) return 0.45;
  if (whole <= 3.3) return 0.72;
  if (whole <= 5.5) return 0.66;
  return whole <= 8 ? 0.55 : 0.42;
}

/** Whether the sentence after a unit has what is asked for: "Refunds are paid to the account. This takes five days." */
function nextHasAsked({ kind }: Question, { paragraph, at = 0 }: AnswerUnit): boolean {
  const next = paragraph?.[at + 1];
  return kind !== undefined && next !== undefined && hasKind(kind, next, folded(next));
}

/** Whether the heading of a unit says all that the question asks about: "What to bring" over a list of things. */
const isAskedByHeading = ({ terms }: Question, { over, first }: AnswerUnit, match: TermMatcher): boolean =>
  first && terms.every(({ term, weight, kind }) => (weight <= genericWeight && !kind) || match(term, over) === 1);

const isOrdered = ({ lines }: AnswerUnit): boolean => lines.some((line) => /^\s*(?:\d{1,3}|[a-z])[.)]\s/.test(line));

const columnsOfPeople = /^(?:who|wer|qui|quien(?:es)?)$/;

/** The first cell of a row says what it is about: all of it is asked for, or the column is "who". */
function isRowAbout(question: Question, { cells, columns }: AnswerUnit): boolean {
  if (question.kind === 'person' && columnsOfPeople.test(folded(columns?.[0] ?? ''))) return true;
  const key = termsOf(cells?.[0] ?? '');
  return key.length > 0 && key.every((own) => question.terms.some(({ term }) => term === own));
}

/** The table lists what is asked for: its first column has that name. */
const listsAsked = ({ listed }: Question, { columns }: AnswerUnit): boolean =>
  termsOf(columns?.[0] ?? '').some((term) => listed.includes(term));

/** Source code that was cut from its block, and rows of many lines, whose words are about many things. */
const isNoText = ({ kind }: AnswerUnit, text: string): boolean =>
  (kind !== 'code' && (text.match(/[{}"$\\]/g)?.length ?? 0) > Math.max(6, text.length / 18)) ||
  (text.match(/<br\s*\/?>/g)?.length ?? 0) > 2;

const [beforeCounted, afterCounted] = [3, 5];
const isAmount =
  /^(?:\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|elf|zwolf|deux|trois|quatre|cinq|sept|huit|neuf|dix|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|no|none|keine?|one|eine?|un|una|une|uno)$/;

/** Whether a number stands beside the things that are counted; in a row their word may be the name of a column. */
function countsThese(counted: string, { over, above, cells }: AnswerUnit, plain: string, match: TermMatcher): boolean {
  const words = plain.replace(/^\s*(?:\d{1,3}|[a-z])[.)]\s/gm, '').match(/[\p{L}\p{N}][\p{L}\p{N}.,]*/gu) ?? [];
  const amounts = words.map((word) => isAmount.test(word.replace(/[.,]+$/, '')));
  if ((cells || match(counted, over) > 0 || match(counted, above) > 0) && amounts.includes(true)) return true;
  return words.some(
    (word, at) =>
      match(counted, new Set(termsOf(word))) > 0 &&
      amounts.slice(Math.max(0, at - beforeCounted), at + afterCounted + 1).includes(true),
  );
}

/** Compares a unit with the question; undefined when its words do not carry the question. */
export function scoreUnit(
  question: Question,
  unit: AnswerUnit,
  match: TermMatcher,
  { rarity, isKnown }: PoolFigures,
): ScoredUnit | undefined {
  const text = unit.lines.join('\n');
  const plain = folded(text);
  const hasAsked = question.kind !== undefined && hasKind(question.kind, text, plain);
  if (unit.kind === 'code' && question.kind !== 'steps') return undefined;
  if (isNoText(unit, text)) return undefined;
  if (question.kind === 'person' && !namesSomeone(text, plain) && !unit.cells && unit.kind !== 'table')
    return undefined;
  if (question.counted && !countsThese(question.counted, unit, plain, match)) return undefined;
  if (measured.has(question.kind) && !hasAsked && (question.kind === 'count' || !nextHasAsked(question, unit)))
    return undefined;
  let [covered, whole, score, ownWeight, rest, restCovered] = [0, 0, 0, hasAsked ? 0.3 : 0, 0, 0];
  let focusCredit = 1;
  /** What stands first below a heading is what the heading is about. */
  const holds = unit.first || unit.kind === 'table';
  const isShort = question.terms.reduce((sum, { weight }) => sum + weight, 0) <= 3.3;
  const isLong = question.terms.reduce((sum, { weight }) => sum + weight, 0) > 5.5;
  for (const { term, weight: full, required, kind } of question.terms) {
    // A long message tells more than its documents do: words that none of them has count little.
    const weight = isLong && !required && !isKnown(term) ? full * 0.3 : full;
    const own = Math.max(match(term, unit.terms), kind && hasKind(kind, text, plain) ? 0.9 : 0);
    const over = match(term, unit.over) * overUnit;
    const above = match(term, unit.above) * aboveUnit;
    const beside = match(term, unit.beside) * besideUnit;
    const within = match(term, unit.within) * withinPassage;
    const near = Math.max(own, over, above);
    // The number of an order names one row; the name of a product may stand anywhere in its document.
    if (required && near < 0.5 && (within === 0 || /^\d+$/.test(term))) return undefined;
    const isName = required || weight >= 2;
    // What stands under "Graz" is no answer about Vienna when that has a part of its own.
    if (isName && near === 0 && unit.rivals.has(term)) return undefined;
    // A row of a table is an answer only when it fulfils all that is asked.
    if (unit.passage.row && weight > genericWeight && near === 0) return undefined;
    // Of a short question every word has to stand near.
    if (isShort && weight === 1 && !kind && near === 0 && beside === 0) return undefined;
    const credit = Math.max(near, beside, isName && within > 0 ? 0.5 : within);
    covered += weight * credit;
    whole += weight;
    const said = Math.max(own, holds ? over : 0);
    score += weight * rarity(term) * (said > 0 ? said : 0.6 * credit);
    if (weight > genericWeight) ownWeight += weight * own;
    // Names and numbers tell which document is meant; the other words have to be carried by the unit itself.
    if ((weight > genericWeight || kind) && weight <= 1 && above < 0.5 && !/^\d+$/.test(term)) {
      rest += weight;
      restCovered += weight * Math.max(own, over, beside);
    }
    if (term === question.focus) focusCredit = Math.max(own, over, above, beside);
  }
  if (whole === 0) return undefined;
  if (ownWeight < 0.3 && !holds) return undefined;
  if (rest > 0 && restCovered / rest < 0.45) return undefined;
  let coverage = covered / whole;
  if (focusCredit < 0.5) coverage *= 0.6;
  if (question.topic.length > 0) {
    const carried = question.topic.map((term) =>
      Math.max(
        match(term, unit.terms),
        match(term, unit.over),
        match(term, unit.above),
        0.8 * match(term, unit.within),
      ),
    );
    const best = Math.max(...carried);
    if (best === 0) coverage *= 0.5;
    score += (0.6 * carried.reduce((sum, one) => sum + one, 0)) / carried.length + 0.4 * best;
  }
  if (coverage < neededCoverage(question)) return undefined;
  score *= coverage;
  if (hasAsked) score *= 1.3;
  else if (nextHasAsked(question, unit)) score *= 1.15;
  if (
    unit.kind === 'list' &&
    ((question.kind === 'steps' && isOrdered(unit)) || isAskedByHeading(question, unit, match))
  )
    score *= 1.5;
  else if (unit.kind === 'list' || unit.kind === 'table') score *= 0.85;
  if (isRowAbout(question, unit)) score *= 1.3;
  if (unit.kind === 'table' && listsAsked(question, unit)) score *= 3;
  if (unit.kind === 'code') score *= 1.8;
  // Times are said in many ways.
  if (question.kind === 'time' && !hasAsked && !nextHasAsked(question, unit)) score *= 0.7;
  // A figure somewhere in a long text is seldom the one that is asked for.
  if (measured.has(question.kind) && text.length > 400) score *= 0.6;
  score /= 1 + 0.08 * Math.max(0, Math.log2(text.length / 160));
  return { unit, coverage, score: score * unit.passage.weight * (1 - 0.015 * Math.min(unit.rank, 10)) };
}
