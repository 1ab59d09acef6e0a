import { equivalents } from './equivalent.ts';
import type { Mutant } from './find-mutants.ts';
import { areas, isIn } from './folders.ts';
import type { Outcome, Results } from './results.ts';

/** Why a mutant can't matter; undefined for the others. */
export function equivalenceOf({ file, operator, before }: Mutant): string | undefined {
  return equivalents.find((one) => one.file === file && one.operator === operator && one.before === before)?.reason;
}

const areaOf = ({ file }: Mutant) => areas.find((area) => isIn(area, file))?.name ?? 'elsewhere';

const inOneLine = (text: string) => text.split(/\s+/).join(' ').slice(0, 140);

/** What one mutant changed: the lines without and with it. */
const changeOf = ({ before, after }: Mutant) => `\n    - ${inOneLine(before)}\n    + ${inOneLine(after)}`;

export function outcomeLine(mutant: Mutant, { verdict, by, message, tests, took_ms }: Outcome): string {
  const place = `${mutant.file}:${mutant.line} ${mutant.operator}`;
  const seconds = `${(took_ms / 1000).toFixed(0)} s`;
  if (verdict === 'killed') return `killed ${place} by "${by}" (${inOneLine(message ?? '')}), ${seconds}`;
  const reason = equivalenceOf(mutant);
  if (verdict === 'survived' && reason) return `equivalent ${place}: ${reason}`;
  return `${verdict} ${place}, ${tests} tests, ${seconds}${verdict === 'survived' ? changeOf(mutant) : ''}`;
}

const share = (killed: number, all: number) => `${killed} of ${all} (${((100 * killed) / (all || 1)).toFixed(1)} %)`;

/** Counts by area, and the mutants that survived. */
export function summarize(results: Results): string {
  const judged = (results.chosen ?? []).flatMap((mutant) => {
    const outcome = results.outcomes.get(mutant.id);
    return outcome && outcome.verdict !== 'gone' ? [{ mutant, outcome }] : [];
  });
  const isEquivalent = ({ mutant, outcome }: (typeof judged)[number]) =>
    outcome.verdict === 'survived' && equivalenceOf(mutant) !== undefined;
  const counted = judged.filter((one) => !isEquivalent(one));
  const survivors = counted.filter(({ outcome }) => outcome.verdict === 'survived');
  const timedOut = counted.filter(({ outcome }) => outcome.verdict === 'timed out').length;
  const byArea = Map.groupBy(counted, ({ mutant }) => areaOf(mutant));
  const killedIn = (list: typeof counted) => list.filter(({ outcome }) => outcome.verdict !== 'survived').length;
  return [
    ...[...byArea].map(([area, list]) => `${area}: ${share(killedIn(list), list.length)}`),
    ...survivors.map(({ mutant, outcome }) => outcomeLine(mutant, outcome)),
    `killed: ${share(killedIn(counted), counted.length)}, ${timedOut} of them by running out of time`,
    `equivalent: ${judged.length - counted.length}, not judged yet: ${(results.chosen ?? []).length - judged.length}`,
  ].join('\n');
}
