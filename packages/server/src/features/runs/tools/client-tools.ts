import { foldToolName } from '@atrium/contract/settings/tools/reserved-tool-names.ts';
import type { ModelTool } from '../../../drivers/models/driver.ts';
import { RunFailure } from '../../../execution/run-failure.ts';
import type { Tool } from '../../tools/ports.ts';

/** The error code of a run whose client tools have names of the agent's. */
export const toolNameTaken = 'tool_name_taken';

/** A tool of the client must not be taken for one of the agent's. */
export function requireUniqueToolNames(own: readonly Tool[], theirs: readonly ModelTool[] = []): void {
  const names = new Set(own.map(({ tool }) => foldToolName(tool)));
  const taken = theirs.filter(({ name }) => names.has(foldToolName(name))).map(({ name }) => name);
  if (taken.length)
    throw new RunFailure(toolNameTaken, `The agent has tools of these names already: ${taken.join(', ')}`);
}
