import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Mutant } from './find-mutants.ts';

export type Verdict = 'killed' | 'timed out' | 'survived' | 'gone' | 'undecided';

export interface Outcome {
  id: string;
  verdict: Verdict;
  /** The test that failed. */
  by?: string;
  message?: string;
  tests: number;
  took_ms: number;
}

type Line = { chosen: Mutant[] } | { outcome: Outcome };

/** The choice and the verdicts of one seed, a line of JSON each, so that an interrupted run goes on where it was. */
export class Results {
  chosen: Mutant[] | undefined;
  /** The latest verdict of each mutant. */
  readonly outcomes = new Map<string, Outcome>();
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
    mkdirSync(dirname(file), { recursive: true });
    if (!existsSync(file)) return;
    // The last line of an interrupted run may be cut off.
    const whole = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    for (const text of whole) this.#read(JSON.parse(text) as Line);
  }

  #read(line: Line): void {
    if ('chosen' in line) this.chosen = line.chosen;
    else this.outcomes.set(line.outcome.id, line.outcome);
  }

  #add(line: Line): void {
    this.#read(line);
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }

  choose(mutants: Mutant[]): void {
    this.#add({ chosen: mutants });
  }

  /** What is undecided stays to be judged. */
  record(outcome: Outcome): void {
    if (outcome.verdict !== 'undecided') this.#add({ outcome });
  }

  /** Mutants that have no verdict yet, or those that survived. */
  due(again: boolean): Mutant[] {
    const verdictOf = ({ id }: Mutant) => this.outcomes.get(id)?.verdict;
    return (this.chosen ?? []).filter((mutant) =>
      again ? verdictOf(mutant) === 'survived' : verdictOf(mutant) === undefined,
    );
  }
}
