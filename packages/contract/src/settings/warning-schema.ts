import * as z from 'zod';
import { requestWarning } from '../request-warning.ts';

/** Not a field of any record: only the answer to the request that caused the warnings has it. */
export const warningsField = {
  warnings: z
    .array(requestWarning)
    .optional()
    .describe(
      'Settings of this request that were stored and have no effect as things stand. Only in the answer to that request.',
    ),
};
