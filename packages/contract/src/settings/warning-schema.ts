import * as z from 'zod';
import { requestWarning } from '../request-warning.ts';

/** Not a stored field: what is wrong with settings as things stand. */
export const warningsField = {
  warnings: z
    .array(requestWarning)
    .optional()
    .describe(
      'Settings of this request that were stored and have no effect as things stand; only in the answer to that request. Records that the settings name and that are gone (`unknown_reference`) are also told when the record is read.',
    ),
};
