import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { Scope } from '../../lib/scope.ts';

export type TargetKind = 'workflow' | 'agent';

export interface TargetStart {
  target_id: string;
  /** The pinned version; null: the newest. */
  version_id: string | null;
  input: Record<string, unknown>;
  /** The input as a message, for agents. */
  text: string;
  /** The taint of the text. */
  brings: readonly Taint[];
  /** The name of the conversation, where the target has one. */
  name: string;
  /** A UUID. A second start with the same key returns the run of the first, also after a crash in between. */
  key: string;
}

/** A kind of record that triggers can start. Each feature that can be started implements one. */
export interface TriggerTarget {
  kind: TargetKind;
  /** Whether the record exists and is not deleted. */
  exists(scope: Scope, id: string): Promise<boolean>;
  hasVersion(scope: Scope, id: string, version_id: string): Promise<boolean>;
  /** The names of the values that a run needs and that these do not give; undefined for a target that needs none. */
  missingInputs?(
    scope: Scope,
    target: { target_id: string; version_id: string | null },
    input: Readonly<Record<string, unknown>>,
  ): Promise<string[]>;
  /** Returns the id of the run. */
  start(scope: Scope, start: TargetStart): Promise<string>;
}
