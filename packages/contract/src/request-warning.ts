import { z } from 'zod';

/** Something in a request that was taken as it is, though it should be different: as a 422 names it, without being one. */
export const requestWarning = z
  .strictObject({ loc: z.array(z.string()), msg: z.string(), type: z.string() })
  .meta({ id: 'RequestWarning' });

export type RequestWarning = z.output<typeof requestWarning>;
