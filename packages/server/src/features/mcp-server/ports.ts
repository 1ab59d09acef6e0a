import type { JsonSchema } from '@atrium/contract/schema/json-schema.ts';
import type { Scope } from '../../lib/scope.ts';

/** Something that MCP clients can call here. */
export interface ExposedTool {
  name: string;
  title: string;
  description: string;
  input_schema: JsonSchema;
  output_schema: JsonSchema;
}

/** What a result has besides words and data, as the protocol has it. */
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

/** Somebody who waits for a call. */
export interface Waiting {
  /** The call is called off. */
  signal: AbortSignal;
  /** Nobody listens any more; the call goes on. */
  left: AbortSignal;
  /** How far it is, in words, and as a number that rises. */
  tell(message: string, at: number): void;
}

/** One kind of thing that is offered: agents, workflows. */
export interface ExposedTools {
  /** Those that whoever asks may run. */
  list(scope: Scope): Promise<ExposedTool[]>;
  /** Undefined when none of them has this name. A run that it starts is called `run_id`. */
  call(
    scope: Scope,
    name: string,
    input: Record<string, unknown>,
    waiting: Waiting & { run_id: string },
  ): Promise<ExposedToolResult | undefined>;
  /** Goes on waiting for a run that the same caller has begun; undefined when there is none. */
  follow?(scope: Scope, run_id: string, waiting: Waiting): Promise<ExposedToolResult | undefined>;
}
