import type { ToolCallContent } from '../../drivers/models/driver.ts';
import { errorFields } from '../../lib/log.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Tool } from '../../lib/tool.ts';

/** A refusal that the model may read and act on. Any other error of a tool reaches it without its words. */
export class ToolError extends Error {}

/** What came of one tool call: `output` for people and records, `text` the same as the model reads it. */
export interface ToolOutcome {
  output: unknown;
  text: string;
  is_error: boolean;
}

const mostText = 100_000;
const roomForNote = 100;

const asText = (output: unknown) => (typeof output === 'string' ? output : JSON.stringify(output));

/** A result as the model reads it, cut where it is too long to be read. One that was cut stays as it is. */
export function toolText(output: unknown): string {
  const text = asText(output);
  if (text.length <= mostText) return text;
  const kept = mostText - roomForNote;
  return `${text.slice(0, kept)}\n[The rest was cut off: ${text.length - kept} more characters]`.toWellFormed();
}

/** What was cut is not kept whole elsewhere: records and watchers have what the model read. */
function succeeded(output: unknown): ToolOutcome {
  const text = toolText(output);
  return { output: text === asText(output) ? output : text, text, is_error: false };
}

const failed = (error: string): ToolOutcome => ({ output: { error }, text: toolText({ error }), is_error: true });

/**
 * One tool call: checked on the way in and out, limited in time and size. Whatever goes wrong is an outcome; only a run
 * that was stopped throws.
 */
export async function runTool(
  tools: readonly Tool[],
  call: ToolCallContent,
  { scope, timeout_ms, signal }: { scope: Scope; timeout_ms: number; signal: AbortSignal },
): Promise<ToolOutcome> {
  signal.throwIfAborted();
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
    return succeeded(checked.data);
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
