import type { RequestWarning } from '@atrium/contract/request-warning.ts';
import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import { findSettingsWithoutEffect } from '@atrium/contract/settings/settings-without-effect.ts';
import type { SettingsLayers, SettingsWarnings } from '../ports.ts';

/** Adds the warnings to the answer of the request that caused them. */
export const withWarnings = <T extends object>(row: T, warnings: readonly RequestWarning[]): T =>
  warnings.length ? { ...row, warnings } : row;

/**
 * Warns about settings without effect that the request has set, or that it has taken the effect from. The layers are those
 * after the request; `at` is the place of the settings in the request.
 */
export function warnOfSettingsWithoutEffect(
  layers: SettingsLayers,
  sent: SparseSettings,
  at: readonly string[],
): RequestWarning[] {
  return findSettingsWithoutEffect(...layers)
    .filter(({ decidedBy }) => decidedBy.some((name) => name in sent))
    .map(({ key, msg, type }) => ({ loc: [...at, key], msg, type }));
}

/** The warnings of several checks. */
export const combineWarnings =
  (...checks: readonly SettingsWarnings[]): SettingsWarnings =>
  async (scope, sent, at) =>
    (await Promise.all(checks.map((check) => check(scope, sent, at)))).flat();
