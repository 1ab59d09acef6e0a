import type { ToolCallContent } from '../../../drivers/models/driver.ts';
import { RunFailure } from '../../../execution/run-failure.ts';
import type { OpenStep } from '../../approvals/ports.ts';
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

/**
 * Whether a run may be interrupted by an outage during this call, and make it again later: no call under way has effects.
 * A call that was interrupted before fails instead, so that an error that stays does not repeat the call for ever.
 */
export function mayRepeatAfterOutage(
  tools: readonly Tool[],
  call: ToolCallContent,
  { calls, results }: Pick<OpenStep, 'calls' | 'results'>,
  { parallel, interrupted }: { parallel: boolean; interrupted: readonly ToolCallContent[] },
): boolean {
  if (interrupted.includes(call)) return false;
  const done = new Set(results.map(({ id }) => id));
  const underWay = parallel ? calls.filter(({ id }) => !done.has(id)) : [call];
  return underWay.every(({ name }) => tools.find(({ tool }) => tool === name)?.reads_only);
}
