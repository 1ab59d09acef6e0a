import { createHash } from 'node:crypto';
import { makeRandom } from '../support/seeded-random.ts';
import type { Mutant } from './find-mutants.ts';

/** More mutants of one file would say little about the others. */
const most_in_file = 3;

/** No kind of change has more than this share of the choice: most conditions could be chosen four times over. */
const most_of_operator = 0.12;

export function shuffle<T>(list: readonly T[], random: () => number): T[] {
  const shuffled = [...list];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other] as T, shuffled[last] as T];
  }
  return shuffled;
}

const seedNumber = (seed: string) => createHash('sha256').update(seed).digest().readUInt32BE(0);

/** Chooses from each area in turn, in an order that only the seed and the mutants decide. */
export function chooseMutants(areas: readonly (readonly Mutant[])[], seed: string, count: number): Mutant[] {
  const random = makeRandom(seedNumber(seed));
  const queues = areas.map((mutants) => shuffle(mutants, random));
  const [byFile, byOperator] = [new Map<string, number>(), new Map<string, number>()];
  const chosen: Mutant[] = [];
  const isOpen = ({ file, operator }: Mutant) =>
    (byFile.get(file) ?? 0) < most_in_file && (byOperator.get(operator) ?? 0) < Math.ceil(most_of_operator * count);
  while (chosen.length < count && queues.some((queue) => queue.length > 0))
    for (const queue of queues) {
      const index = queue.findIndex(isOpen);
      const [mutant] = queue.splice(0, index < 0 ? queue.length : index + 1).slice(-1);
      if (index < 0 || !mutant || chosen.length >= count) continue;
      byFile.set(mutant.file, (byFile.get(mutant.file) ?? 0) + 1);
      byOperator.set(mutant.operator, (byOperator.get(mutant.operator) ?? 0) + 1);
      chosen.push(mutant);
    }
  return chosen;
}
