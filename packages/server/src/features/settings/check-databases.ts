import { InvalidRequest } from '@atrium/contract/errors.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { RequestWarning } from '@atrium/contract/request-warning.ts';
import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import type { Scope } from '../../lib/scope.ts';
import { goneReference, unknownReference } from './check-references.ts';
import type { ReferenceCheckers, SettingsLayers } from './ports.ts';

/**
 * Refuses entries of `databases` that newly name a variable which is not there, and warns of those that the record has
 * already. Callers without variables_read are told nothing: they may not add such an entry in any case.
 */
export async function checkDatabases(
  scope: Scope,
  { databases = [] }: SparseSettings,
  { variable_names }: ReferenceCheckers,
  at: readonly string[],
  layers: SettingsLayers = [],
): Promise<RequestWarning[]> {
  if (databases.length === 0 || !allows(scope.permissions, 'variables_read')) return [];
  const names = [...new Set(databases.map(({ dsn_variable }) => dsn_variable))];
  const known = await variable_names?.(scope, names);
  const stored = new Set(layers.flatMap((layer) => layer?.databases ?? []).map(({ dsn_variable }) => dsn_variable));
  const missing = databases.flatMap(({ dsn_variable: id }, index) =>
    known?.has(id) ? [] : [{ id, kind: 'variable' as const, loc: [...at, 'databases', String(index), 'dsn_variable'] }],
  );
  const refused = missing.filter(({ id }) => !stored.has(id));
  if (refused.length) throw new InvalidRequest(refused.map(unknownReference));
  return missing.map(({ kind, loc }) => goneReference(kind, loc, 'queries of the database fail'));
}
