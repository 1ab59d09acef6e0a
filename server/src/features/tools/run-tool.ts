import type { ToolCallContent } from '../../drivers/models/driver.ts';
import { errorFields } from '../../lib/log.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Tool } from '../../lib/tool.ts';

/** A refusal that the model may read and act on. Any other error of a tool reaches it without its words. */
export class ToolError extends Error {}

/** What came of one tool call: `output` for people and records, `text` as the model reads it. */
export interface ToolOutcome {
  output: unknown;
  text: string;
  is_error: boolean;
}

const mostText = 100_000;
const failed = (message: string): ToolOutcome => ({ output: { error: message }, text: message, is_error: true });

function textOf(output: unknown): string {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  if (text.length <= mostText) return text;
  return `${text.slice(0, mostText)}\n[The rest was cut off: ${text.length - mostText} more characters]`;
}

/** One tool call: checked on the way in and out, limited in time and size, and never an exception. */
export async function runTool(
  tools: readonly Tool[],
  call: ToolCallContent,
  { scope, timeout_ms, signal }: { scope: Scope; timeout_ms: number; signal: AbortSignal },
): Promise<ToolOutcome> {
  const tool = tools.find((candidate) => candidate.tool === call.name);
  if (!tool) return failed(`There is no tool named ${call.name}`);
  const input = tool.input.safeParse(call.input);
  if (!input.success)
    return failed(
      `The input does not fit the tool: ${input.error.issues.map((issue) => `${issue.path.join('.') || 'input'}: ${issue.message}`).join('; ')}`,
    );

  const timeout = AbortSignal.timeout(timeout_ms);
  const ended = AbortSignal.any([signal, timeout]);
  const { promise: tooLate, reject } = Promise.withResolvers<never>();
  const onEnd = () => reject(ended.reason);
  ended.addEventListener('abort', onEnd, { once: true });
  try {
    const output = await Promise.race([tool.run(scope, input.data, ended), tooLate]);
    const checked = tool.output.safeParse(output);
    if (!checked.success) throw new Error(`${call.name} returned what its schema does not say`);
    return { output: checked.data, text: textOf(checked.data), is_error: false };
  } catch (error) {
    if (signal.aborted) throw error;
    if (timeout.aborted) return failed(`The tool did not answer within ${timeout_ms / 1000} s`);
    if (error instanceof ToolError) return failed(error.message);
    scope.log.error('A tool failed', { tool: call.name, request_id: scope.request_id, ...errorFields(error) });
    return failed('The tool failed');
  } finally {
    ended.removeEventListener('abort', onEnd);
  }
}
