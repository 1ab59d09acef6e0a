import { z } from 'zod';

/** A setting that is stored and has no effect as things stand. */
const settingsWarning = z.strictObject({ code: z.string(), message: z.string() }).meta({ id: 'SettingsWarning' });
export type SettingsWarning = z.output<typeof settingsWarning>;

/** Not a field of any record: only the answer to the request that caused the warnings has it. */
export const warningsField = { warnings: z.array(settingsWarning).optional() };
