import { invalid } from '@atrium/contract/errors.ts';
import type { RequestWarning } from '@atrium/contract/request-warning.ts';
import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import { fieldsOf } from '../../lib/json/fields-of.ts';
import type { Scope } from '../../lib/scope.ts';
import { checkAddresses } from '../typed-addresses/service.ts';
import { checkDatabases } from './check-databases.ts';
import { checkReferences } from './check-references.ts';
import type { ReferenceCheckers, StoredReferences } from './ports.ts';

/** Lists of agents and conversations carry the settings of each entry, so they must stay small. */
const most = 256 * 1024;

/** Refuses settings that have grown too large, at once or change by change. */
export function requireSettingsSize(settings: SparseSettings, at: string[]): void {
  if (JSON.stringify(settings).length <= most) return;
  const limit = `${most / 1024} kB`;
  throw invalid(at, `settings may have ${limit} together; longer texts belong into files or knowledge bases`, null);
}

/** Refuses two actions with one name, since a call names its action. One that is turned off is no tool. */
function requireOwnNames({ actions = [], tools = [] }: SparseSettings, at: string[]): void {
  const taken = new Set<unknown>();
  const look = (
    list: string,
    entries: readonly object[],
    isAction: (entry: Readonly<Record<string, unknown>>) => boolean,
  ) =>
    entries.map(fieldsOf).forEach((entry, index) => {
      if (!isAction(entry) || entry['enabled'] === false || typeof entry['name'] !== 'string') return;
      if (taken.has(entry['name']))
        throw invalid([...at, list, String(index), 'name'], 'another action has this name', entry['name']);
      taken.add(entry['name']);
    });
  look('actions', actions, () => true);
  look('tools', tools, ({ type }) => type === 'action');
}

const programUrl = /^operator:(.*)$/;

/** The operator's programs run with the rights of this process: settings name only those that the workspace was given. */
export async function checkPrograms(
  scope: Scope,
  { mcp_servers = [] }: SparseSettings,
  { programs }: ReferenceCheckers,
  at: string[],
): Promise<void> {
  const named = mcp_servers.flatMap(({ url }, index) => {
    const name = programUrl.exec(url)?.[1];
    return name === undefined ? [] : [{ name, url, loc: [...at, 'mcp_servers', String(index), 'url'] }];
  });
  if (named.length === 0) return;
  const usable = await programs?.(
    scope,
    named.map(({ name }) => name),
  );
  const refused = named.find(({ name }) => !usable?.has(name));
  if (refused)
    throw invalid(
      refused.loc,
      'no such program was given to this workspace; a key with org:admin gives it one by PUT /v1/admin/groups/{group_id}/mcp-programs',
      refused.url,
    );
}

/**
 * Checks settings beyond their schema: their size, that no two actions share a name, that new references are in the workspace
 * and new addresses may be reached.
 */
export async function checkSettings(
  scope: Scope,
  settings: SparseSettings,
  references: ReferenceCheckers,
  at: string[],
  stored?: StoredReferences,
): Promise<RequestWarning[]> {
  requireSettingsSize(settings, at);
  requireOwnNames(settings, at);
  const warnings = await checkReferences(scope, settings, references, at, stored);
  await checkPrograms(scope, settings, references, at);
  const addresses = checkAddresses(scope, settings, references.refusalOf, at, stored?.layers);
  const databases = await checkDatabases(scope, settings, references, at, stored?.layers);
  return [...warnings, ...addresses, ...databases];
}
