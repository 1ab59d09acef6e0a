import type { WorkspacePermission } from '@atrium/contract/permissions.ts';

/** What a node asks of the engine instead of giving outputs. It is then called again, with `context.resumed`. */
export class EngineRequest<K extends keyof Requests = keyof Requests> {
  readonly kind: K;
  readonly what: Requests[K];

  constructor(kind: K, what: Requests[K]) {
    this.kind = kind;
    this.what = what;
  }
}

/** A question to people, and who of them may answer it. */
interface Approval {
  question: string;
  details: unknown;
  seconds: number | null;
  /** What whoever decides must be allowed to. */
  needs: WorkspacePermission;
  /** Whoever started the run may not decide it. */
  four_eyes: boolean;
}

interface Requests {
  /** Until a time has come or somebody has decided. */
  wait: ({ for: 'approval' } & Approval) | { for: 'time'; until: number };
  /** What hangs on the outputs `item` and `index` is run for each item; what comes back into `result` is gathered. */
  each: { items: readonly unknown[]; at_once: number; continue_on_error: boolean };
  /** Another workflow, run inside of this run. */
  workflow: { workflow_id: string; version_id: string | null; input: Record<string, unknown> };
}

export const waitForApproval = (what: Approval) => new EngineRequest('wait', { for: 'approval', ...what });
export const waitUntil = (until: number) => new EngineRequest('wait', { for: 'time', until });
export const forEach = (what: Requests['each']) => new EngineRequest('each', what);
export const callWorkflow = (what: Requests['workflow']) => new EngineRequest('workflow', what);

/** What came of a request. */
export type Resumed =
  | { for: 'time' }
  /** Of each round what came back, or null; of those that failed the reason. */
  | { for: 'each'; results: unknown[]; errors: { index: number; code: string; message: string }[] }
  /** The other workflow's outputs by their labels. */
  | { for: 'workflow'; output: Record<string, unknown> }
  | { for: 'approval'; decision: 'approve' | 'reject' | 'timeout'; note: string | null; by: string | null };
