import type { Outputs } from '../nodes/define-node.ts';

export interface StepError {
  code: string;
  message: string;
}

/** How a step did something other than its config asks for. */
export type StepWarning = { code: string; message: string };

/** Why a run failed, and at which node. */
export interface RunError extends StepError {
  node_id: string | null;
}

/**
 * The events of a journal; `at` is a time in milliseconds. `node` is the path of a step: the id of its node after the ids of the loops (with the
 * number of the round, `loop#2/node`) and nested workflows that contain it.
 */
export type JournalEvent =
  | { type: 'run-start' }
  /** Stored for steps with effects; of most others only the end is stored. */
  | { type: 'start'; node: string; attempt: number; at?: number }
  | { type: 'retry'; node: string; attempt: number; error: StepError }
  | {
      type: 'end';
      node: string;
      status: 'completed' | 'failed' | 'skipped';
      outputs?: Outputs;
      /** The ids of large outputs, which are stored apart. */
      large?: Record<string, string>;
      error?: StepError;
      ms?: number;
      /** When it ended; absent in journals of older versions and for nodes that were not executed. */
      at?: number;
      /** Left out: 1. */
      attempt?: number;
      logs?: string[];
      warnings?: StepWarning[];
      /** The inputs of the step, in a traced run. */
      inputs?: Outputs;
    }
  | { type: 'wait'; node: string; for: 'approval'; approval_id: string; until: number | null; at?: number }
  | { type: 'wait'; node: string; for: 'time'; until: number; at?: number }
  /** A loop has begun with this number of rounds. */
  | { type: 'rounds'; node: string; count: number }
  /** A nested workflow has begun with this graph. */
  | { type: 'enter'; node: string; workflow_id: string; graph_id: string }
  | {
      type: 'run-end';
      status: 'completed' | 'failed' | 'stopped' | 'awaiting_human_feedback';
      error: RunError | null;
    };

/** The end of a step. */
export type StepEnd = Extract<JournalEvent, { type: 'end' }>;

export interface Batch {
  /** The number of its first event; events are numbered from 1 in each run. */
  first_seq: number;
  events: JournalEvent[];
}
