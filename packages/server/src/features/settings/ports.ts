import type { Permission } from '@atrium/contract/permissions.ts';
import type { RequestWarning } from '@atrium/contract/request-warning.ts';
import type { ReferenceKind } from '@atrium/contract/settings/entries.ts';
import type { Settings, SparseSettings } from '@atrium/contract/settings/settings.ts';
import type { Db } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';

/** An id inside settings, and its place. */
export interface Reference {
  kind: ReferenceKind;
  id: string;
  loc: string[];
  /** The entry asks for write access. */
  writes?: boolean;
}

/**
 * Says which of these ids are records of the caller's workspace that the caller may hand to an agent, to read or to
 * write. Each feature that can be referred to brings one.
 */
export type ReferenceChecker = (scope: Scope, ids: string[], writes: boolean) => Promise<Set<string>>;
export interface ReferenceCheckers extends Partial<Record<ReferenceKind, ReferenceChecker>> {
  /** Which of the operator's programs agents of the caller's workspace may use, by name. */
  programs?: (scope: Scope, names: readonly string[]) => Promise<Set<string>>;
  /** Why this server would never reach an address, judged by its text alone; undefined when it may be reached. */
  refusalOf?: (url: string) => string | undefined;
  /** Which of these names are variables of the caller's workspace. */
  variable_names?: (scope: Scope, names: readonly string[]) => Promise<Set<string>>;
}

/** Finds records by name, for settings that move between workspaces. A kind without a lookup is matched by id alone. */
export interface ReferenceLookup {
  /** Names by id, of those that are records of the caller's workspace. */
  names(scope: Scope, ids: string[]): Promise<Map<string, string>>;
  /** The records of the caller's workspace that are called exactly so; a name may have several. */
  byName(scope: Scope, names: string[]): Promise<{ id: string; name: string }[]>;
}
export type ReferenceLookups = Partial<Record<ReferenceKind, ReferenceLookup>>;

/** Settings from the lowest layer to the highest; a layer that does not exist is null. */
export type SettingsLayers = readonly (SparseSettings | null)[];

/** The settings that a record has already; `isCopy`: they become another record's, for which the caller answers. */
export interface StoredReferences {
  layers: SettingsLayers;
  isCopy?: boolean;
}

/** The addresses of MCP servers that a login is stored for. */
export type StoredLogins = ReadonlySet<string>;

/** Decides which settings a caller may change and which records they may refer to. */
export interface SettingsAuthority {
  /**
   * Checks sent settings by themselves: their size, their names, that the records they newly refer to exist, that the
   * addresses they newly have may be reached. Warns of those that `stored` has too.
   */
  check(scope: Scope, sent: SparseSettings, at: string[], stored?: StoredReferences): Promise<RequestWarning[]>;
  /** Warns of the records that stored settings name and that are gone, and of addresses that are not reached from here. */
  warnOfGone(scope: Scope, settings: SparseSettings, at: readonly string[]): Promise<RequestWarning[]>;
  /** Refuses a change from one set of layers to another that a lock or the caller's permissions forbid. */
  requireChange(db: Db, scope: Scope, before: SettingsLayers, after: SettingsLayers): Promise<void>;
  /** Refuses values in place of variables that the agent lists, unless the caller may edit agents. */
  requireValues(scope: Scope, settings: Settings, values: Readonly<Record<string, unknown>>): Promise<void>;
}

/** The missing permissions, by the setting or other field that needs them. */
export type MissingPermissions = ReadonlyMap<string, readonly Permission[]>;

/** Returns the settings of these stored layers as JSON text, ready to be spliced into an answer. */
export type SettingsTextCache = (
  layers: readonly (string | null)[],
  options?: { preview?: boolean; masked?: boolean },
) => string;

/**
 * Finds the settings of a request that have no effect because of records outside of the settings, such as models. `at` is
 * the place of the settings in the request. Called before a transaction, since it may wait for other servers.
 */
export type SettingsWarnings = (scope: Scope, sent: SparseSettings, at: readonly string[]) => Promise<RequestWarning[]>;
