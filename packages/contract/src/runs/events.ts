import type { ReachedRecord } from '../approvals/schema.ts';
import type { FinishReason, ModelUsage } from '../models/model-usage.ts';
import type { Severity } from '../safety/categories.ts';
import type { Taint, ToolAccount, ToolFile, ToolProgress, ToolSource } from '../tools/tool-result.ts';

/** A failure as a user can act on it. */
export interface RunError {
  code: string;
  message: string;
}

export interface Usage extends ModelUsage {
  /** In US dollars; null when the model's prices are not known. */
  cost: number | null;
}

export const noUsage: Usage = { input_tokens: 0, cached_tokens: 0, output_tokens: 0, reasoning_tokens: 0, cost: 0 };

/** One call of a model, whether or not it worked. */
export interface Attempt {
  model: string;
  /** Which of the provider's addresses, counted from 0. */
  address: number;
  ms: number;
  status: 'ok' | 'failed';
  /** Why it failed. */
  reason: string | null;
}

export type GuardStage = 'input' | 'tool' | 'output';
export type GuardAction = 'fail' | 'replace' | 'human' | 'warn';

/** What a guardrail objected to. Says nothing of the text itself. */
export interface Objection {
  category: string;
  severity: Severity;
  reason: string;
}

/** What the guardrails did about a message; null when none was asked. */
export interface GuardrailSummary {
  /** By how much they made the reply later. */
  ms: number;
  /** Whether the user's message was heard by the model. */
  input_passed: boolean;
  objections: (Objection & { stage: GuardStage; action: GuardAction })[];
}

/** How a reply was made; stored with its message. */
export interface MessageMetadata {
  run_id: string;
  model: string | null;
  attempts: Attempt[];
  usage: Usage;
  ms: number;
  warnings: string[];
  /** Why the last answer of the model ended: `length` when it reached `max_tokens`. Null: there was none. */
  finish_reason?: FinishReason | null;
  guardrails?: GuardrailSummary | null;
}

/**
 * Why a call waits for a person: the entry's `requires_approval`, one of its `approval_rules`, the tool itself, or that
 * it would send something out of a conversation that has read both private and untrusted things.
 */
export type ApprovalReason = 'requires_approval' | 'rule' | 'tool' | 'egress';

/** Which calls an approval covers: one, or later ones of the same conversation too. */
export type ApprovalScope = 'once' | 'tool' | 'recipient' | 'conversation';

/**
 * All events of an agent run, in the order in which they are written. Every stream format is derived from them.
 * `attempt-start` with `discard` means that the connection broke: clients drop the output of the step so far, because
 * the model generates it again.
 */
export type RunEvent =
  | { type: 'run-start'; run_id: string; conversation_id: string; user_message_id: string; message_id: string }
  /** The estimated input tokens; the usage of a step that is cut off is counted from them. */
  | { type: 'step-start'; step: number; input_tokens?: number }
  /** `withheld`: the earlier output of the step was retracted by a guardrail, not only repeated. */
  | { type: 'attempt-start'; step: number; attempt: number; model: string; discard: boolean; withheld?: true }
  /** `withheld`: what it said was taken back for good; only its place is left. */
  | { type: 'reasoning-delta'; step: number; text: string; withheld?: true }
  /** `advice`: for the operator, such as how to configure a model; users do not see it. */
  | { type: 'text-delta'; step: number; text: string; withheld?: true; advice?: true }
  | { type: 'tool-call'; step: number; id: string; name: string; input: unknown }
  | ({
      type: 'tool-result';
      step: number;
      id: string;
      name: string;
      output: unknown;
      is_error: boolean;
      /** All sources in the output; a `source` event follows for each that the answer used. */
      sources?: readonly ToolSource[];
    } & Partial<ToolAccount>)
  /** A source that the answer used; these come after the answer. `number` is its place among all that were found. */
  | ({ type: 'source'; step: number; id: string; number?: number } & ToolSource)
  /** A file that a tool made. */
  | { type: 'file'; step: number; file: ToolFile }
  /** How far a workflow has come that runs for this reply. */
  | { type: 'workflow-progress'; step: number; progress: ToolProgress }
  /** The flow that drives the conversation went from one of its nodes to another; `id` tells this one from others. */
  | { type: 'state-transition'; step: number; id: string; from: string; to: string }
  | {
      type: 'step-end';
      step: number;
      finish_reason: FinishReason;
      model: string;
      usage: Usage;
      /** The calls it took. */
      attempts?: Attempt[];
      /** The answer says that nothing answers the question. Only the built-in model tells. */
      found_nothing?: true;
    }
  /**
   * The verdict of the guardrails on a text. `action` is null when no guardrail objected; `retracts` means that the
   * output of the step so far is removed for good.
   */
  | {
      type: 'guardrail';
      stage: GuardStage;
      step: number;
      ms: number;
      objections: Objection[];
      action: GuardAction | null;
      retracts: boolean;
      /** There is no verdict: it could not be asked for, or the run ended before. Never a pass. */
      failed?: true;
    }
  /** A person is to answer in place of the agent. */
  | { type: 'handover'; note: string }
  /** A call waits until a person agrees to it. `input` is what will be run. */
  | {
      type: 'approval-request';
      step: number;
      id: string;
      call_id: string;
      name: string;
      input: unknown;
      reason: ApprovalReason;
      /** The host that the call sends to, where it is known. */
      recipient?: string;
      /** All hosts that the call can send to, and what lies beneath its tool. */
      recipients?: readonly string[];
      beneath?: readonly ReachedRecord[];
      /** Set when the actor that caused the call may not decide. */
      four_eyes?: true;
      /** The people and user groups who are named to decide. */
      approvers?: readonly string[];
      approver_groups?: readonly string[];
      /** What the conversation had read, for the egress rule. */
      has_read?: readonly Taint[];
      expires_at: string;
      /** A digest of the tool as it was when people were asked: one that was changed since is not what they agree to. */
      definition?: string;
      /** The digests of all tools that send: a scope covers later calls of these, as they were. */
      definitions?: Readonly<Record<string, string>>;
    }
  /** `by` is null when the request expired without a decision. */
  | {
      type: 'approval-decision';
      step: number;
      id: string;
      call_id: string;
      decision: 'approve' | 'reject';
      /** The caller who asked took the request back, which counts as a rejection. */
      withdrawn?: true;
      note: string | null;
      by: string | null;
    }
  /** A call of the egress rule is made without asking: the approval `id` of an earlier call covers it. */
  | { type: 'approval-covered'; step: number; id: string; call_id: string; scope: ApprovalScope; by: string | null }
  /** A tool asks a person a question; users see `message` while the run waits. */
  | {
      type: 'human-request';
      step: number;
      id: string;
      call_id: string;
      name: string;
      question: string;
      message: string;
      expires_at: string | null;
    }
  /**
   * A person's answer: to a tool's question, as the result of that call, or instead of the agent, as a separate
   * message. `content` is null when the request expired without an answer.
   */
  | {
      type: 'human-answer';
      step: number;
      id: string | null;
      call_id: string | null;
      message_id: string | null;
      content: string | null;
      by: string | null;
    }
  /** The run waits for people, and no node executes it. It may continue after this event. */
  | { type: 'run-pause' }
  /** The run continues. Decisions are logged before this event, and take effect only after it. */
  | { type: 'run-resume' }
  | { type: 'warning'; code: string; message: string }
  | { type: 'footer'; text: string }
  | { type: 'title'; name: string }
  | { type: 'message-end'; message_id: string; metadata: MessageMetadata }
  | { type: 'run-end'; status: 'completed' | 'failed' | 'stopped'; error: RunError | null };

/** An event with its number, counted from 1 in each run. */
export type NumberedEvent = RunEvent & { seq: number };
