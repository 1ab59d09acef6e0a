import { isDeepStrictEqual } from 'node:util';
import { forbidden } from '@atrium/contract/errors.ts';
import { keysOf } from '@atrium/contract/keys-of.ts';
import { allows, type Permission } from '@atrium/contract/permissions.ts';
import { namesInLayers } from '@atrium/contract/settings/names-in-layers.ts';
import {
  effectiveSettings,
  type SettingName,
  type Settings,
  settingKeys,
  shownSettings,
} from '@atrium/contract/settings/settings.ts';
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import { warnOfPrivateAddresses } from '../typed-addresses/service.ts';
import { opensAllKnowledgeBases, permissionsForChange } from './capability-needs.ts';
import { checkDatabases } from './check-databases.ts';
import { warnOfGoneReferences } from './check-references.ts';
import { checkSettings } from './check-settings.ts';
import { addsPromptText } from './language-names.ts';
import { checkLocks } from './locks.ts';
import type {
  MissingPermissions,
  ReferenceCheckers,
  SettingsAuthority,
  SettingsLayers,
  StoredLogins,
} from './ports.ts';

const names = keysOf(settingKeys);
/** What a conversation without an agent begins with. */
const shownDefaults = Object.freeze(shownSettings(effectiveSettings()));

/** Compared as answers show them: a client that sends back an answer changes nothing. */
const shownOf = (layers: SettingsLayers): Settings =>
  layers.some((layer) => layer !== null) ? shownSettings(effectiveSettings(...layers)) : shownDefaults;

/** The permissions that a caller lacks to change a key. */
function missingFor(
  { permissions }: Pick<Scope, 'permissions'>,
  name: SettingName,
  was: Settings,
  will: Settings,
  logins: StoredLogins,
): Permission[] {
  const { class: group, stricter } = settingKeys[name];
  const isFree = group === 'presentation' && !addsPromptText(name, was, will);
  const isStricter = stricter?.isAsStrict(was[name], will[name]) && !opensAllKnowledgeBases(name, was, will);
  if (isFree || isStricter) return [];
  const needed: Permission[] = ['agents_edit', ...permissionsForChange(name, was, will, logins)];
  return needed.filter((one) => !allows(permissions, one));
}

/** The change of a key that a caller without `agents_edit` may make; empty when there is none. */
function describeAllowedChange(name: string): string {
  const known = names.find((one) => one === name);
  const stricter = known && settingKeys[known].stricter;
  return stricter ? ` (allowed without it: ${stricter.direction})` : '';
}

/** Refuses a request that lacks permissions, naming each key and its missing permissions. */
export function requirePermissions(missing: MissingPermissions): void {
  const lacking = [...missing].filter(([, permissions]) => permissions.length > 0);
  if (lacking.length === 0) return;
  const named = lacking.map(
    ([name, permissions]) => `${name} needs ${permissions.join(' and ')}${describeAllowedChange(name)}`,
  );
  throw forbidden(`Not allowed with these permissions: ${named.join('; ')}`, 'setting_forbidden');
}

/**
 * The one place that decides which settings a caller may change and which records they may refer to. It serves agents, their
 * versions and imports, and conversations on every path.
 */
export function makeSettingsAuthority(deps: {
  references: ReferenceCheckers;
  /** Which of these addresses are MCP servers with a stored login. */
  storedLogins(db: Db, workspace_id: string, urls: readonly string[]): Promise<StoredLogins>;
  /** Whether the operator forbids agents to turn the egress rule off. */
  isEgressEnforced: boolean;
  /** The names of variables of the caller's workspace, by id. */
  variableNames(scope: Scope, ids: string[]): Promise<ReadonlyMap<string, string>>;
}): SettingsAuthority {
  return {
    check: (scope, sent, at, stored) => checkSettings(scope, sent, deps.references, at, stored),
    warnOfGone: async (scope, settings, at) => [
      ...(await warnOfGoneReferences(scope, settings, deps.references, at)),
      ...warnOfPrivateAddresses(settings, deps.references.refusalOf, at),
      ...(await checkDatabases(scope, settings, deps.references, at, [settings])),
    ],

    async requireChange(db, scope, before, after) {
      checkLocks(scope, before, after);
      const [was, will] = [shownOf(before), shownOf(after)];
      // Most are the very same value.
      const changed = namesInLayers([...before, ...after]).filter(
        (name) => was[name] !== will[name] && !isDeepStrictEqual(was[name], will[name]),
      );
      if (deps.isEgressEnforced && changed.includes('egress_approval') && will.egress_approval.mode === 'never')
        throw forbidden(
          'egress_approval can not be never: the operator enforces it with ATRIUM_EGRESS_APPROVAL',
          'egress_approval_enforced',
        );
      const urls = changed.includes('mcp_servers') ? will.mcp_servers.map(({ url }) => url) : [];
      const isAsked = urls.length > 0 && !allows(scope.permissions, 'integrations_edit');
      const logins = isAsked ? await deps.storedLogins(db, scope.workspace_id, urls) : new Set<string>();
      requirePermissions(new Map(changed.map((name) => [name, missingFor(scope, name, was, will, logins)])));
    },

    async requireValues(scope, { variables }, values) {
      if (variables.length === 0 || allows(scope.permissions, 'agents_edit')) return;
      const ids = variables.map((entry) => (typeof entry === 'string' ? entry : entry.id).toLowerCase());
      const taken = new Set((await deps.variableNames(scope, ids)).values());
      const refused = Object.keys(values).filter((name) => taken.has(name));
      requirePermissions(new Map(refused.map((name) => [`variables.${name}`, ['agents_edit']])));
    },
  };
}
