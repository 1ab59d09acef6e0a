import { z } from 'zod';

/** What a caller does about a run that waits for people; part of the data of a result. */
export const howToGoOn = z.object({
  run_id: z.string().describe('The run that waits'),
  waits_for: z.array(
    z.object({
      type: z.enum(['approval', 'question', 'handover']),
      id: z.string().nullable(),
      answer_with: z.string().describe('The request that answers it'),
      needs: z.string().describe('The permission that this request needs'),
    }),
  ),
  afterwards: z.string().describe('How to read what became of the run'),
});
export type HowToGoOn = z.output<typeof howToGoOn>;

/** The same in words, for clients and models that read text alone. */
export const describeHowToGoOn = ({ run_id, waits_for, afterwards }: HowToGoOn): string =>
  [
    `The run ${run_id} waits for a person.`,
    ...waits_for.map(
      ({ type, answer_with, needs }) =>
        `It waits for an answer (${type}): ${answer_with}, which needs the permission ${needs}.`,
    ),
    afterwards,
  ].join('\n');
