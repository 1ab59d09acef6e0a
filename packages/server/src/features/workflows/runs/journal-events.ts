import type { Outputs } from '../nodes/define-node.ts';

export interface StepError {
  code: string;
  message: string;
}

/** Why a run failed, and in which of its nodes. */
export interface RunError extends StepError {
  node_id: string | null;
}

/**
 * Everything that is kept of a run, in the order it happened. `node` is the path of a step: the id of its node, after
 * those of the loops (with the number of the round, `loop#2/node`) and sub-workflows that it is inside of.
 */
export type JournalEvent =
  | { type: 'run-start' }
  /** Of most steps only the end is kept. */
  | { type: 'start'; node: string; attempt: number }
  | { type: 'retry'; node: string; attempt: number; error: StepError }
  | {
      type: 'end';
      node: string;
      status: 'completed' | 'failed' | 'skipped';
      outputs?: Outputs;
      /** Outputs that are kept elsewhere, by the id they have there. */
      large?: Record<string, string>;
      error?: StepError;
      ms?: number;
      logs?: string[];
      /** What came in, when the run is traced. */
      inputs?: Outputs;
    }
  | { type: 'wait'; node: string; for: 'approval'; approval_id: string; until: number | null }
  | { type: 'wait'; node: string; for: 'time'; until: number }
  /** A loop has begun, with so many rounds to go. */
  | { type: 'rounds'; node: string; count: number }
  /** Another workflow is run inside, in the form it has now. */
  | { type: 'enter'; node: string; workflow_id: string; graph_id: string }
  | {
      type: 'run-end';
      status: 'completed' | 'failed' | 'stopped' | 'awaiting_human_feedback';
      error: RunError | null;
    };

/** The end of a step. */
export type StepEnd = Extract<JournalEvent, { type: 'end' }>;

export interface Batch {
  /** The number of its first event; they are counted from 1 in each run. */
  first_seq: number;
  events: JournalEvent[];
}
