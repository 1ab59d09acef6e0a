import type { WorkspacePermission } from '@atrium/contract/permissions.ts';

/**
 * A request of a node to the engine, returned instead of outputs. The engine then calls the node again with
 * `context.resumed`.
 */
export class EngineRequest<K extends keyof Requests = keyof Requests> {
  readonly kind: K;
  readonly what: Requests[K];

  constructor(kind: K, what: Requests[K]) {
    this.kind = kind;
    this.what = what;
  }
}

/** A question to people, with the permission that is needed to answer it. */
interface Approval {
  question: string;
  details: unknown;
  seconds: number | null;
  /** The permission that the caller who decides must hold. */
  needs: WorkspacePermission;
  /** The caller that started the run may not decide. */
  four_eyes: boolean;
  /** The people and user groups who are named to decide. */
  approvers: readonly string[];
  approver_groups: readonly string[];
}

interface Requests {
  /** Waits for a time or for a decision. */
  wait: ({ for: 'approval' } & Approval) | { for: 'time'; until: number };
  /**
   * Runs the nodes behind the outputs `item` and `index` for each item and collects the values of the input `result`.
   */
  each: { items: readonly unknown[]; at_once: number; continue_on_error: boolean };
  /** Runs another workflow inside of this run. */
  workflow: { workflow_id: string; version_id: string | null; input: Record<string, unknown> };
}

export const waitForApproval = (what: Approval) => new EngineRequest('wait', { for: 'approval', ...what });
export const waitUntil = (until: number) => new EngineRequest('wait', { for: 'time', until });
export const forEach = (what: Requests['each']) => new EngineRequest('each', what);
export const callWorkflow = (what: Requests['workflow']) => new EngineRequest('workflow', what);

/** The result of a request. */
export type Resumed =
  | { for: 'time' }
  /** The result of each round, or null, and the errors of failed rounds. */
  | { for: 'each'; results: unknown[]; errors: { index: number; code: string; message: string }[] }
  /** The outputs of the called workflow by their labels. */
  | { for: 'workflow'; output: Record<string, unknown> }
  | { for: 'approval'; decision: 'approve' | 'reject' | 'timeout'; note: string | null; by: string | null };
