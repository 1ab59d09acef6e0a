import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import type { SettingsWarning } from '@atrium/contract/settings/warning-schema.ts';
import type { Scope } from '../../lib/scope.ts';

/** Finds the settings of a request that have no effect as things stand. */
export type SettingsWarnings = (scope: Scope, sent: SparseSettings) => Promise<SettingsWarning[]>;

export const withWarnings = <T extends object>(row: T, warnings: SettingsWarning[]): T =>
  warnings.length ? { ...row, warnings } : row;
