import type { ToolCallContent } from '../../../drivers/models/driver.ts';
import { RunFailure } from '../../../execution/run-failure.ts';
import type { Tool } from '../../tools/ports.ts';
import { type Progress, waits } from '../loop/progress.ts';

/**
 * The calls that may have been running when the previous node died: all without a result, or only the first when calls
 * run in sequence. A call that waits for a decision has not started, and client tools run at the client.
 */
export function interruptedCalls(
  { open }: Progress,
  parallel: boolean,
  client_tools: ReadonlySet<string>,
): ToolCallContent[] {
  if (!open) return [];
  const done = new Set(open.results.map(({ id }) => id));
  const left = open.calls.filter(({ id, name }) => !done.has(id) && !client_tools.has(name));
  return (parallel ? left : left.slice(0, 1)).filter((call) => !waits(open, call));
}

/** Refuses to repeat an interrupted call of a tool that is not `repeatable`: the call may have had its effect. */
export function requireRepeatable(
  tools: readonly Tool[],
  call: ToolCallContent,
  interrupted: readonly ToolCallContent[],
): void {
  // The very call, not its id: providers count those anew in each step.
  if (!interrupted.includes(call)) return;
  if (tools.find(({ tool }) => tool === call.name)?.repeatable !== false) return;
  throw new RunFailure(
    'tool_interrupted',
    `The server was stopped while ${call.name} ran. It may or may not have had its effect, so it was not called again; look before you retry.`,
  );
}
