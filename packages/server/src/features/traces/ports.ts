import type { Trace } from '@atrium/contract/traces/schema.ts';
import type { ModelTool } from '../../drivers/models/driver.ts';
import type { AnonymizedRequest } from '../model-calls/ports.ts';

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

/** The request of one model call in a run, to be kept for its trace. */
export interface StoredPrompt {
  call_id: string;
  workspace_id: string;
  run_id: string;
  request: AnonymizedRequest;
  /** The text that came back, with placeholders for private values. */
  answer: string;
  /** Why the call failed. */
  error: string | null;
}

export interface StoredPrompts {
  keep(prompts: readonly StoredPrompt[]): Promise<void>;
  /** The prompts of a run by the ids of their model calls. */
  listOfRun(workspace_id: string, run_id: string): Promise<Map<string, KeptPrompt>>;
  /** Deletes prompts that are older than this. */
  expire(days: number): Promise<void>;
}

/** Returns the trace of a run. */
export type Traces = (workspace_id: string, run_id: string) => Promise<Trace>;
