import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { Scope } from '../../lib/scope.ts';

export type TargetKind = 'workflow' | 'agent';

export interface Start {
  target_id: string;
  /** Pinned; null follows the newest. */
  version_id: string | null;
  input: Record<string, unknown>;
  /** The same in words, for what is talked to. */
  text: string;
  /** What went into the text. */
  brings: readonly Taint[];
  /** What the run is called where it has a name. */
  name: string;
  /** A UUID. Starting twice with the same one starts once and answers the same run, also after a crash in between. */
  key: string;
}

/** What triggers start. Each feature that can be started brings one. */
export interface TriggerTarget {
  kind: TargetKind;
  /** Whether it is there and not deleted. */
  exists(scope: Scope, id: string): Promise<boolean>;
  hasVersion(scope: Scope, id: string, version_id: string): Promise<boolean>;
  /** Answers the id of the run. */
  start(scope: Scope, start: Start): Promise<string>;
}
