import type { JsonSchema } from '../../lib/schema/json-schema.ts';
import type { Scope } from '../../lib/scope.ts';

/** Something that MCP clients can call here. */
export interface OfferedTool {
  name: string;
  title: string;
  description: string;
  input_schema: JsonSchema;
  output_schema: JsonSchema;
}

export interface OfferedResult {
  text: string;
  structured: Record<string, unknown>;
  is_error: boolean;
}

/** One kind of thing that is offered: agents, workflows. */
export interface McpOffers {
  /** Those that whoever asks may run. */
  list(scope: Scope): Promise<OfferedTool[]>;
  /** Undefined when none of them has this name. `progress` tells the client how far it is. */
  call(
    scope: Scope,
    name: string,
    input: Record<string, unknown>,
    options: { signal: AbortSignal; progress(message: string): void },
  ): Promise<OfferedResult | undefined>;
}
