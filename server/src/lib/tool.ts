import type { z } from 'zod';
import type { Scope } from './scope.ts';

/** Something an agent can do: described to the model by its schema, checked both ways. */
export interface Tool {
  tool: string;
  description: string;
  input: z.ZodType;
  output: z.ZodType;
  /** Whether a call that may or may not have happened can be made again, as after a crash in the middle of it. */
  repeatable: boolean;
  run(scope: Scope, input: unknown, signal: AbortSignal): Promise<unknown>;
}

export function defineTool<I extends z.ZodType, O extends z.ZodType>(
  tool: Omit<Tool, 'input' | 'output' | 'run'> & {
    input: I;
    output: O;
    run(scope: Scope, input: z.output<I>, signal: AbortSignal): Promise<z.input<O>>;
  },
): Tool {
  return tool as unknown as Tool;
}
