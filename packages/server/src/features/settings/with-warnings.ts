import type { SettingsWarning } from '@atrium/contract/settings/warning-schema.ts';

/** Adds the warnings to the answer of the request that caused them. */
export const withWarnings = <T extends object>(row: T, warnings: SettingsWarning[]): T =>
  warnings.length ? { ...row, warnings } : row;
