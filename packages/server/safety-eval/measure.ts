import { type PiiEntity, piiEntities } from '@atrium/contract/settings/keys/safety.ts';
import type { FindPii } from '../src/features/pii/ports.ts';
import { cases } from './cases.ts';

export interface Range {
  start: number;
  end: number;
}

/** Of what was found, how much is right; of what was there, how much was found. */
export interface Score {
  precision: number;
  recall: number;
}

export interface Measured {
  entity: PiiEntity;
  positive: number;
  negative: number;
  /** Same first and last character. */
  exact: Score;
  /** At least one character in common. */
  overlap: Score;
  held_out: Score;
  /** Exact, with all twelve entities asked for, so that they compete. */
  together: Score;
}

export const same = (a: Range, b: Range) => a.start === b.start && a.end === b.end;
export const touching = (a: Range, b: Range) => a.start < b.end && b.start < a.end;

/** With nothing to find, or nothing found, nothing is wrong. */
const share = (part: number, whole: number) => (whole ? part / whole : 1);

export function scoreOf(
  results: readonly { one: { values: readonly Range[] }; found: readonly Range[] }[],
  matches: typeof same,
): Score {
  let [right, found, hit, values] = [0, 0, 0, 0];
  for (const { one, found: ranges } of results) {
    right += ranges.filter((range) => one.values.some((value) => matches(range, value))).length;
    hit += one.values.filter((value) => ranges.some((range) => matches(range, value))).length;
    found += ranges.length;
    values += one.values.length;
  }
  return { precision: share(right, found), recall: share(hit, values) };
}

/** Each entity on its own cases. */
export async function measure(findPii: FindPii): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const entity of piiEntities) {
    const own = cases.filter((one) => one.entity === entity);
    const findAll = (entities: readonly PiiEntity[]) =>
      Promise.all(
        own.map(async (one) => ({
          one,
          found: (await findPii(one.text, entities)).filter((span) => span.entity === entity),
        })),
      );
    const alone = await findAll([entity]);
    measured.push({
      entity,
      positive: own.filter(({ values }) => values.length).length,
      negative: own.filter(({ values }) => !values.length).length,
      exact: scoreOf(alone, same),
      overlap: scoreOf(alone, touching),
      held_out: scoreOf(
        alone.filter(({ one }) => one.held_out),
        same,
      ),
      together: scoreOf(await findAll(piiEntities), same),
    });
  }
  return measured;
}
