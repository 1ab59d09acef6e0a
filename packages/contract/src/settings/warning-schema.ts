import * as z from 'zod';

/** A setting that is stored and has no effect as things stand. */
const settingsWarning = z
  .strictObject({
    code: z.string().describe('Names the kind of problem, for clients.'),
    message: z.string().describe('What has no effect and why.'),
  })
  .meta({ id: 'SettingsWarning' });
export type SettingsWarning = z.output<typeof settingsWarning>;

/** Not a field of any record: only the answer to the request that caused the warnings has it. */
export const warningsField = {
  warnings: z
    .array(settingsWarning)
    .optional()
    .describe('Settings of this request that have no effect as things stand. Only in the answer to that request.'),
};
