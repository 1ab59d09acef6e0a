import type { ModelCallAnswer, ModelCallRetry, Trace, TraceQuery, TraceStep } from '@atrium/contract/traces/schema.ts';
import type { ModelTool } from '../../drivers/models/driver.ts';
import type { Scope } from '../../lib/scope.ts';
import type { StoredPrompt } from '../model-calls/ports.ts';
import type { ContentBudget } from './content-budget.ts';

export type { ContentBudget } from './content-budget.ts';

/** A prompt as a trace shows it. */
export interface Prompt {
  system: string;
  messages: unknown[];
  tools: string[];
  settings: Record<string, unknown>;
  /** How many of the oldest messages were left out, because the prompt was too long to keep. */
  left_out: number;
}

/** A prompt as it is stored, with what came of it. */
export interface KeptPrompt extends Prompt {
  /** Whole, to ask the model again; undefined where there is no room for them, and in prompts of older versions. */
  tool_definitions?: readonly ModelTool[];
  answer?: string;
  error?: string | null;
}

export interface StoredPrompts {
  keep(prompts: readonly StoredPrompt[]): Promise<void>;
  /** The ids of the model calls of a run whose prompts are kept. */
  listIds(workspace_id: string, run_id: string): Promise<Set<string>>;
  /** Prompts of a run by the ids of their model calls. */
  read(workspace_id: string, run_id: string, call_ids: readonly string[]): Promise<Map<string, KeptPrompt>>;
  /** Deletes prompts that are older than this. */
  expire(days: number): Promise<void>;
}

/** Reads the nodes and waits of a run of a workflow. */
export type ReadWorkflowSteps = (workspace_id: string, run_id: string, budget: ContentBudget) => Promise<TraceStep[]>;

export interface Traces {
  /** The trace of a run as the caller may read it, with the runs that it started. */
  get(scope: Scope, run_id: string, query: TraceQuery): Promise<Trace>;
  /** The run alone, without content, for programs that collect traces of every run. */
  ofRun(workspace_id: string, run_id: string): Promise<Trace>;
}

/** Makes a model call of a trace again. */
export type RetryModelCall = (
  scope: Scope,
  run_id: string,
  call_id: string,
  changes: ModelCallRetry,
) => Promise<ModelCallAnswer>;
