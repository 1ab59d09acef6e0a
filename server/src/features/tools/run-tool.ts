import type { ToolCallContent } from '../../drivers/models/driver.ts';
import { faultFields } from '../../lib/log.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Tool, ToolSecrets } from '../../lib/tool.ts';
import { scrubbedLog } from './scrubbed-log.ts';

/** A refusal that the model may read and act on. Any other error of a tool reaches it without its words. */
export class ToolError extends Error {}

/** A tool returned what its schema does not say. */
class MisfitOutput extends Error {
  override name = 'MisfitOutput';
}

/** What came of one tool call: `output` for people and records, `text` the same as the model reads it. */
export interface ToolOutcome {
  output: unknown;
  text: string;
  is_error: boolean;
  sources?: readonly { url: string | null; title: string; quote: string | null }[];
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

/** For calls outside of runs, which have no variables. */
const noSecrets: ToolSecrets = { reveal: async (value) => value, scrub: (value) => value };

/** A tool that does not say that it reveals secrets has no way to. */
const undeclared: ToolSecrets['reveal'] = async () => {
  throw new Error('Only a tool that is declared with `reveals` is given secrets');
};

/** The call itself. What it logs is scrubbed as its result is. */
async function carryOut(tool: Tool, scope: Scope, input: unknown, signal: AbortSignal, secrets: ToolSecrets) {
  if (!tool.reveals) return tool.run(scope, input, signal, undeclared);
  const own = { ...scope, log: scrubbedLog(scope.log, secrets.scrub) };
  return tool.run(own, await secrets.reveal(input), signal, secrets.reveal);
}

/**
 * One tool call: checked on the way in and out, limited in time and size. Whatever goes wrong is an outcome; only a run
 * that was stopped throws.
 */
export async function runTool(
  tools: readonly Tool[],
  call: ToolCallContent,
  call_options: { scope: Scope; timeout_ms: number; signal: AbortSignal; secrets?: ToolSecrets },
): Promise<ToolOutcome> {
  const { scope, timeout_ms, signal, secrets = noSecrets } = call_options;
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
    const output = await Promise.race([carryOut(tool, scope, input.data, ended, secrets), tooLate]);
    const checked = tool.output.safeParse(output);
    if (!checked.success) throw new MisfitOutput();
    const shown = secrets.scrub(checked.data);
    const sources = tool.sources?.(shown);
    return { ...succeeded(shown), ...(sources && { sources }) };
  } catch (error) {
    if (signal.aborted) throw error;
    if (timeout.aborted) return failed(`The tool did not answer within ${timeout_ms / 1000} s`);
    if (error instanceof ToolError) return failed(secrets.scrub(error.message));
    const fields = secrets.scrub(faultFields(error));
    scope.log.error('A tool failed', { tool: call.name, request_id: scope.request_id, ...fields });
    return failed('The tool failed');
  } finally {
    ended.removeEventListener('abort', onEnd);
  }
}
