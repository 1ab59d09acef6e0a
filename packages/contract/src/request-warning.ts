import * as z from 'zod';

/** A value that was stored although it will not work as it stands; it has the shape of a validation error. */
export const requestWarning = z
  .strictObject({
    loc: z.array(z.string()).describe('Where the value stands in the request, from `body`, `query` or `path` inward.'),
    msg: z.string().describe('What is wrong with the value.'),
    type: z.string().describe('The kind of problem, for programs.'),
  })
  .meta({ id: 'RequestWarning' });

export type RequestWarning = z.output<typeof requestWarning>;
