import type { z } from 'zod';
import type { Permission } from './permissions.ts';
import type { Scope } from './scope.ts';

/** A secret is a handle, `{{secret.NAME}}`, until the last hop; this is the way there and back. */
export interface ToolSecrets {
  /** The value with every handle in it replaced by what it stands for. Throws what may be told to the model. */
  reveal<T>(value: T): Promise<T>;
  /** The value with whatever has been revealed replaced by its handle again. */
  scrub<T>(value: T): T;
}

/** Something an agent can do: described to the model by its schema, checked both ways. */
export interface Tool {
  tool: string;
  description: string;
  input: z.ZodType;
  output: z.ZodType;
  /** What of its output the reply rests on; shown as sources. */
  sources?(output: unknown): readonly { url: string | null; title: string; quote: string | null }[];
  /** Whether a call that may or may not have happened can be made again, as after a crash in the middle of it. */
  repeatable: boolean;
  /**
   * The tool is the last hop: handles in its input are filled in before it runs, and `reveal` does the same with what it
   * has from settings (headers, an address). Only for tools whose target the settings fix: where a model chooses the
   * target, it could have a secret sent anywhere.
   */
  reveals?: true;
  /**
   * What its results bring into a run: `untrusted` words that anybody may have written (the web, uploaded files, other
   * servers), `private` data of the workspace. A run that has both needs a person before it sends anything out.
   */
  brings?: readonly ('untrusted' | 'private')[];
  /** A call can carry what it is given out of the workspace. */
  sends?: true;
  /** Whether a person has to agree to a call with this input before it is made. */
  needs_approval?(input: unknown): boolean;
  /** What whoever the run acts for must be allowed to. */
  permission?: Permission;
  run(scope: Scope, input: unknown, signal: AbortSignal, reveal?: ToolSecrets['reveal']): Promise<unknown>;
}

export function defineTool<I extends z.ZodType, O extends z.ZodType>(
  tool: Omit<Tool, 'input' | 'output' | 'run'> & {
    input: I;
    output: O;
    run(scope: Scope, input: z.output<I>, signal: AbortSignal, reveal: ToolSecrets['reveal']): Promise<z.input<O>>;
  },
): Tool {
  return tool as unknown as Tool;
}
