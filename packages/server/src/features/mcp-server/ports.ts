import type { JsonSchema } from '@atrium/contract/schema/json-schema.ts';
import type { Scope } from '../../lib/scope.ts';

export { describeHowToGoOn, type HowToGoOn, howToGoOn } from './how-to-go-on.ts';

/** A tool that MCP clients can call. */
export interface ExposedTool {
  name: string;
  title: string;
  description: string;
  input_schema: JsonSchema;
  output_schema: JsonSchema;
}

/** Parts of a result besides text and data, as in the protocol. */
export type ExposedToolPart =
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; mimeType: string; text: string } | BlobResource };
interface BlobResource {
  uri: string;
  mimeType: string;
  blob: string;
}

export interface ExposedToolResult {
  text: string;
  structured: Record<string, unknown>;
  is_error: boolean;
  parts?: readonly ExposedToolPart[];
}

/** The client of a call. */
export interface Waiting {
  /** Aborts when the client cancels the call. */
  signal: AbortSignal;
  /** Aborts when the client disconnects; the call goes on. */
  left: AbortSignal;
  /** Reports progress as a text, with a position that rises. */
  tell(message: string, at: number): void;
}

/** A kind of exposed tools: agents, or workflows. */
export interface ExposedTools {
  /** The tools that the caller may run. */
  list(scope: Scope): Promise<ExposedTool[]>;
  /** Runs a tool; the run it starts gets the id `run_id`. Undefined when this kind has no tool of the name. */
  call(
    scope: Scope,
    name: string,
    input: Record<string, unknown>,
    waiting: Waiting & { run_id: string },
  ): Promise<ExposedToolResult | undefined>;
  /** Waits for a run that the same caller started; undefined when there is none. */
  follow?(scope: Scope, run_id: string, waiting: Waiting): Promise<ExposedToolResult | undefined>;
}
