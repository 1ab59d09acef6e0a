import { isDeepStrictEqual } from 'node:util';
import type { CaseResult, EvaluationCase, EvaluationReport, Summary } from '@atrium/contract/evaluations/schema.ts';
import { keysOf } from '@atrium/contract/keys-of.ts';
import type { KnownCase } from './sources/known-case.ts';

const folded = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
const wordsIn = (text: string): string[] => folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** How similar two texts are, from 0 to 1: F1 over their words with counts. */
function overlap(one: string, other: string): number {
  const [a, b] = [wordsIn(one), wordsIn(other)];
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
  const left = new Map<string, number>();
  for (const word of b) left.set(word, (left.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of a) {
    const count = left.get(word) ?? 0;
    if (count > 0) common += 1;
    left.set(word, count - 1);
  }
  return (2 * common) / (a.length + b.length);
}

export function expectedScore({ expected, match }: EvaluationCase, answer: string): number | null {
  if (expected === undefined) return null;
  if (match === 'exact') return Number(folded(answer) === folded(expected));
  if (match === 'contains') return Number(folded(answer).includes(folded(expected)));
  return overlap(expected, answer);
}

/** The share of the expected citations that the answer, or a source of its tools, names. */
export function citationScore(
  { citations }: EvaluationCase,
  answer: string,
  sources: readonly string[],
): number | null {
  if (!citations?.length) return null;
  const said = folded([answer, ...sources].join('\n'));
  return citations.filter((citation) => said.includes(folded(citation))).length / citations.length;
}

const enough = { expected: 0.5, judge: 0.6, citations: 1 };

export const hasPassed = (scores: CaseResult['scores'], error: string | null) =>
  error === null && keysOf(enough).every((key) => scores[key] === null || scores[key] >= enough[key]);

const average = (values: readonly (number | null)[]) => {
  const known = values.filter((value) => value !== null);
  return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
};

export function summaryOf(cases: number, results: readonly CaseResult[]): Summary {
  const scores = (key: keyof typeof enough) => average(results.map((result) => result.scores[key]));
  const costs = results.flatMap(({ cost }) => cost ?? []);
  return {
    cases,
    done: results.length,
    passed: results.filter(({ passed }) => passed).length,
    errors: results.filter(({ error }) => error !== null).length,
    marked: results.filter(({ marks }) => marks.length > 0).length,
    disputed: results.filter(({ marks: [newest], passed }) => newest && newest.passed !== passed).length,
    scores: { expected: scores('expected'), judge: scores('judge'), citations: scores('citations') },
    tokens: results.reduce((sum, { input_tokens, output_tokens }) => sum + input_tokens + output_tokens, 0),
    cost: costs.length ? costs.reduce((sum, cost) => sum + cost, 0) : null,
    ms: average(results.map(({ ms }) => ms)),
  };
}

/** Compares by whether the case passed, then by the average score; smaller differences are noise. */
function changeOf(from: CaseResult, to: CaseResult): 'better' | 'worse' | 'same' {
  if (from.passed !== to.passed) return to.passed ? 'better' : 'worse';
  const [before, after] = [average(Object.values(from.scores)), average(Object.values(to.scores))];
  const difference = (after ?? 0) - (before ?? 0);
  return Math.abs(difference) < 0.05 ? 'same' : difference > 0 ? 'better' : 'worse';
}

type Compared = EvaluationReport['cases'][number];

function costChangeOf(from: number | null, to: number | null): Compared['cost_change'] {
  if (from === null || to === null) return null;
  if (Math.abs(to - from) < 0.1 * from || to === from) return 'same';
  return to > from ? 'dearer' : 'cheaper';
}

function speedChangeOf(from: number, to: number): Compared['speed_change'] {
  if (Math.abs(to - from) < Math.max(200, 0.2 * from)) return 'same';
  return to > from ? 'slower' : 'faster';
}

interface TriedCases {
  results: readonly CaseResult[];
  cases: readonly KnownCase[];
}

/** Compares two runs case by case; a case that is done in one run only is left out. */
export function compareResults(from: TriedCases, to: TriedCases): Compared[] {
  const earlier = new Map(from.results.map((result) => [result.case_id, result]));
  return to.results.flatMap((after) => {
    const { case_id, position, name } = after;
    const before = earlier.get(case_id);
    if (!before) return [];
    const cost = before.cost === null || after.cost === null ? null : after.cost - before.cost;
    return [
      {
        ...{ position, case_id, name, change: changeOf(before, after), from: before, to: after },
        case_changed: !isDeepStrictEqual(from.cases[before.position], to.cases[position]),
        ...{ cost, ms: after.ms - before.ms },
        ...{ cost_change: costChangeOf(before.cost, after.cost), speed_change: speedChangeOf(before.ms, after.ms) },
      },
    ];
  });
}
