import type { Scope } from '../../lib/scope.ts';
import type { SparseSettings } from './settings.ts';
import type { SettingsWarning } from './settings-warning-schema.ts';

/** Finds the settings of a request that have no effect as things stand. */
export type SettingsWarnings = (scope: Scope, sent: SparseSettings) => Promise<SettingsWarning[]>;

export const withWarnings = <T extends object>(row: T, warnings: SettingsWarning[]): T =>
  warnings.length ? { ...row, warnings } : row;
