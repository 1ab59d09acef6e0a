import { inputSchemaOf } from '@atrium/contract/schema/json-schema.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { ToolCallContent } from '../../drivers/models/driver.ts';
import { RunFailure } from '../../execution/run-failure.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Anonymizer } from '../model-calls/ports.ts';
import { type Progress, waits } from '../runs/loop/progress.ts';
import type { Tool, ToolSecrets } from './ports.ts';

/** The run that tools are made for. */
export interface ToolContext {
  /** What tools send to models goes through it. */
  veil: Anonymizer;
  run_id: string;
  conversation_id: string;
  /** Null in a conversation without an agent. */
  agent_id: string | null;
  /** For what a source has from settings, such as the headers of a server that has to be asked for its tools. */
  secrets: ToolSecrets;
}

/** Makes the tools that settings ask for. */
export type ToolSource = (scope: Scope, settings: Settings, context: ToolContext) => Promise<Tool[]>;

/** A tool as models are told of it. */
export const described = ({ tool, description, input }: Tool) => ({
  name: tool,
  description,
  input_schema: inputSchemaOf(input),
});

/**
 * The calls that may have been under way when the node died: all without a result, or the first where they take turns.
 * One that waits for people has not been begun, nor what takes turns with it, and those of clients' tools run elsewhere.
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

/** A call that was under way when its node died may have had its effect: only some tools may be called again. */
export function requireRepeatable(
  tools: readonly Tool[],
  call: ToolCallContent,
  underWay: readonly ToolCallContent[],
): void {
  // The very call, not its id: providers count those anew in each step.
  if (!underWay.includes(call)) return;
  if (tools.find(({ tool }) => tool === call.name)?.repeatable !== false) return;
  throw new RunFailure(
    'tool_interrupted',
    `The server was stopped while ${call.name} ran. It may or may not have had its effect, so it was not called again; look before you retry.`,
  );
}
