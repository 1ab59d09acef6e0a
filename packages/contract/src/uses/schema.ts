import * as z from 'zod';
import { success } from '../page.ts';

/** The kinds of records that can use others. */
export const userKinds = [
  ...['agent', 'workflow', 'conversation', 'trigger', 'deployment', 'variable', 'knowledge_base'],
] as const;

const use = z
  .strictObject({
    kind: z.enum(userKinds).describe('The kind of record that uses it.'),
    id: z.guid().describe('The id of that record.'),
    name: z.string().nullable().describe('Its name. Null: it has none.'),
  })
  .meta({ id: 'Use' });

export const usedBy = z
  .strictObject({
    items: z.array(use).describe('The records that use it, at most 100 of each kind.'),
    hidden: z.int().describe('How many more use it that the caller may not see, at most 100 of each kind.'),
  })
  .meta({ id: 'UsedBy' });

/** The answer of a deletion: what still names the record that is gone. */
export const deleted = success
  .extend({
    uses: usedBy
      .optional()
      .describe(
        'What still names the deleted record and goes on without it. Left out when nothing does, for callers who may not list that, and when it could not be found out.',
      ),
  })
  .meta({ id: 'Deleted' });

export type Use = z.output<typeof use>;
export type UsedBy = z.output<typeof usedBy>;
