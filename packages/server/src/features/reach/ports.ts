import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Reach } from '../tools/ports.ts';

/** Where a walk begins. */
export type ReachRoot =
  /** `graph_id`: the graph that a run executes, which may not be the current one any more. */
  | { kind: 'workflow'; id: string; version_id: string | null; graph_id?: string }
  | { kind: 'agent'; id: string }
  /** Variables by name, of those with these ids where they are given, and those that databases are granted by name. */
  | { kind: 'variables'; names: Iterable<string>; ids?: readonly string[]; granted?: readonly string[] };

/** Finds everything that lies beneath these roots, as it is now. */
export type FindReach = (scope: Scope, roots: readonly ReachRoot[]) => Promise<Reach>;

export interface ReachedVariable {
  id: string;
  name: string;
  /** Changes with every write. */
  version: string;
  /** Undefined for a secret, and for a value that can't be read now. */
  value: string | undefined;
}

/** The records that a walk reads; undefined for one that is gone. */
export interface ReachDeps {
  workflow(
    scope: Scope,
    id: string,
    version_id: string | null,
  ): Promise<{ name: string; graph_id: string; is_valid: boolean; error_handler: string | null } | undefined>;
  graph(
    scope: Scope,
    graph_id: string,
  ): Promise<{ nodes: readonly { config: Readonly<Record<string, unknown>> }[]; variables: readonly string[] }>;
  agent(scope: Scope, id: string): Promise<{ name: string; version_id: string; settings: Settings } | undefined>;
  variables(scope: Scope, names: readonly string[], ids?: readonly string[]): Promise<ReachedVariable[]>;
}
