import type { WorkflowApproval, WorkflowApprovalDecision } from '@atrium/contract/approvals/workflow-schema.ts';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import type { Db } from '../../db/database.ts';
import type { ToolCallContent, ToolResultContent } from '../../drivers/models/driver.ts';
import type { StoredPrincipal } from '../../execution/run-queue.ts';
import type { Scope } from '../../lib/scope.ts';
import type { CoveringApproval, RequestRow } from './request-store.ts';
import type { ApprovalRow, NewApproval } from './workflow-approval-store.ts';

export type { RequestRow };

type Decision = Extract<RunEvent, { type: 'approval-decision' }>;
type Answer = Extract<RunEvent, { type: 'human-answer' }>;

/** A request to people about one tool call, and their decision or answer. */
export interface CallRequest {
  id: string;
  /** The digest of the tool at the time of the request. */
  definition?: string | undefined;
  /** Null while the request is open. */
  answer: Decision | Answer | null;
}

/** A step whose model answer is complete and whose tool calls are not all done. */
export interface OpenStep {
  step: number;
  text: string;
  calls: ToolCallContent[];
  results: ToolResultContent[];
  /** The requests about its calls, by call id. */
  asked: Map<string, CallRequest>;
  /** The calls that an earlier approval covers, with the digest of their tool when that was decided. */
  covered: Map<string, string | undefined>;
  /** The log says that all requests are answered; the calls may be running. */
  resumed: boolean;
}

/** Starts a run that was marked as running again; to be called after the commit. */
export type StartRun = () => void;

/** The agent runs that wait for people. Each verb works in the caller's transaction. */
export interface WaitingRuns {
  /** Marks a paused run as running on this node; undefined when it is not paused. */
  resume(tx: Db, workspace_id: string, run_id: string): Promise<StartRun | undefined>;
  requestStop(tx: Db, workspace_id: string, run_id: string): Promise<unknown>;
}

/** Ends agent runs that a person answers in place of the agent. Both verbs answer the id of the run that they ended. */
export interface Handover {
  /** Stores a person's answer as the reply. Refused when the conversation does not wait for a person. */
  answer(tx: Db, scope: Scope, conversation_id: string, content: string): Promise<string>;
  /** Ends the run without an answer; undefined when it does not wait. */
  stop(tx: Db, workspace_id: string, run_id: string): Promise<string | undefined>;
  /** Notifies the streams of the run; to be called after the commit. */
  tell(run_id: string): void;
}

/** A run whose calls approvals may cover. */
export interface CoveredRun {
  group_id: string;
  conversation_id: string;
  principal: Pick<StoredPrincipal, 'actor' | 'person_id'>;
}

/** The requests that agent runs make to people, for the run that asks. */
export interface RunRequests {
  /** Whether the run still waits for a decision or an answer. */
  hasPending(db: Db, workspace_id: string, run_id: string): Promise<boolean>;
  list(workspace_id: string, run_id: string): Promise<RequestRow[]>;
  /** The approvals that cover later calls of the conversation now, in runs of the same person or program. */
  covering(run: CoveredRun): Promise<CoveringApproval[]>;
  /**
   * Stores the requests among these events, and withdraws open ones with the end of the run, in the transaction of the
   * log. Undefined when there is nothing to store.
   */
  record(
    run: { id: string; group_id: string; conversation_id: string },
    events: readonly RunEvent[],
    seen: readonly RunEvent[],
  ): ((tx: Db) => Promise<void>) | undefined;
}

/** The workflow runs whose steps wait for approvals. */
export interface WaitingWorkflowRuns {
  /** Throws not_found when the workspace has no such workflow run. */
  find(scope: Scope, run_id: string): Promise<unknown>;
  /** Locks the row of the run until the transaction ends. */
  lock(
    tx: Db,
    workspace_id: string,
    run_id: string,
  ): Promise<{ principal: Pick<Scope, 'actor' | 'person_id'>; finished_at: string | null } | undefined>;
  /** Marks a suspended run as running on this node; undefined when a node already executes it. */
  resume(tx: Db, workspace_id: string, run_id: string): Promise<StartRun | undefined>;
}

/** The approvals of workflow steps, for people. */
export interface WorkflowApprovals {
  list(scope: Scope, run_id: string): Promise<WorkflowApproval[]>;
  /** Decides an approval once; the run resumes from the step that asked. */
  decide(scope: Scope, run_id: string, id: string, decision: WorkflowApprovalDecision): Promise<WorkflowApproval>;
}

/** The approvals of workflow steps, for the engine that asks for them. */
export interface StepApprovals {
  /** Stores the request of a step; one that was stored before is answered as it is now. */
  insertOnce(workspace_id: string, approval: NewApproval): Promise<ApprovalRow>;
  find(workspace_id: string, run_id: string, id: string): Promise<ApprovalRow | undefined>;
  isAnyDecided(tx: Db, workspace_id: string, ids: readonly string[]): Promise<boolean>;
}
