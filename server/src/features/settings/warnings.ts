import { z } from 'zod';
import type { Scope } from '../../lib/scope.ts';
import type { SparseSettings } from './settings.ts';

/** Settings that were taken as they are and do not work as things stand. */
const settingsWarning = z.strictObject({ code: z.string(), message: z.string() }).meta({ id: 'SettingsWarning' });
type SettingsWarning = z.output<typeof settingsWarning>;

/** Says what is amiss with settings that a request sends. */
export type SettingsWarnings = (scope: Scope, sent: SparseSettings) => Promise<SettingsWarning[]>;

/** Not a field of any record: it is in the answer to the request that gave cause for it, and in no other. */
export const warningsField = { warnings: z.array(settingsWarning).optional() };

export const withWarnings = <T extends object>(row: T, warnings: SettingsWarning[]): T =>
  warnings.length ? { ...row, warnings } : row;
