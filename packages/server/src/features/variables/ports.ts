import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Scope } from '../../lib/scope.ts';
import type { SecretDestination, SecretSetting, ToolSecrets } from '../tools/ports.ts';

/** The settings of a run with variables filled in, and the run's access to secrets. */
export interface RunVariables {
  settings: Settings;
  /** The same settings for prompts: values that came with the conversation are marked, so that they are anonymized. */
  prompts: Settings;
  /** The values that came with the conversation and were filled in. */
  given: readonly string[];
  secrets: ToolSecrets;
}

/** Fills the variables of a conversation into its settings. Throws VariableUnavailable. */
export type VariableResolver = (
  scope: Scope,
  conversation_id: string,
  settings: Settings,
  /** For settings without a conversation: the caller knows which of them were saved without variables_read. */
  restrictedHere?: readonly SecretSetting[],
) => Promise<RunVariables>;

/** Remembers secrets and replaces them by their handles in every value that it is given. */
export interface Scrubber {
  remember(name: string, text: string): void;
  scrub<T>(value: T): T;
}

/** The variables of one definition, by the names that it uses. */
export interface DefinitionVariables {
  /** The plain ones among these as they are filled into texts; a secret stays its handle. */
  plain(wanted: Iterable<string>): Promise<Map<string, string>>;
  /** A value with its handles filled in; the scrubber then knows the secrets. */
  reveal<T>(value: T, to: SecretDestination, isRestricted?: boolean): Promise<T>;
  /** Makes the scrubber know all secrets of the definition, for a run that goes on after another; unreadable ones are left out. */
  remember(): Promise<void>;
  scrub<T>(value: T): T;
}

export type NamedVariables = (
  scope: Scope,
  names: { plain: ReadonlySet<string>; handles: ReadonlySet<string> },
  given: {
    /** Shared by the steps of a run: a secret that one step reveals is scrubbed for all. */
    scrubber: Scrubber;
    /** Rejects where variables may not be read; called before any value is read. */
    mayRead(): Promise<void>;
  },
) => DefinitionVariables;
