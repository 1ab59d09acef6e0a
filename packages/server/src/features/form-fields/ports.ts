import type { AgentLock } from '@atrium/contract/agents/lock-schema.ts';
import type { Scope } from '../../lib/scope.ts';

/** Finds an agent of the workspace with its settings as stored; throws when there is none. */
export type FindAgent = (
  scope: Scope,
  agent_id: string,
) => Promise<{ definition: string; draft_definition: string | null; locks: readonly AgentLock[] }>;
