import { cpuMsOf } from './process-figures.ts';

export interface Asked {
  /** Milliseconds of each search. */
  times: number[];
  /** Processor milliseconds of the server in each search. */
  cpu: number[];
}

export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN;

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/**
 * Asks each question of two targets, one after the other, so that both see the same machine; which is first changes. The
 * first round opens what the searches read and does not count.
 */
export async function askInTurn<Q>(
  pid: number,
  questions: readonly Q[],
  rounds: number,
  ask: (question: Q, target: 0 | 1) => Promise<void>,
): Promise<[Asked, Asked][]> {
  const all: [Asked, Asked][] = [];
  for (let round = 0; round <= rounds; round++) {
    const asked: [Asked, Asked] = [
      { times: [], cpu: [] },
      { times: [], cpu: [] },
    ];
    for (const [place, question] of questions.entries())
      for (const target of (place + round) % 2 ? ([1, 0] as const) : ([0, 1] as const)) {
        const [begun, cpu] = [performance.now(), cpuMsOf(pid)];
        await ask(question, target);
        asked[target].times.push(performance.now() - begun);
        asked[target].cpu.push(cpuMsOf(pid) - cpu);
      }
    if (round > 0) all.push(asked);
  }
  return all;
}
