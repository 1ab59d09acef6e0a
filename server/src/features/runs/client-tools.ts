import type { ModelTool } from '../../drivers/models/driver.ts';
import type { Tool } from '../../lib/tool.ts';
import { foldToolName } from '../settings/reserved-tool-names.ts';
import { RunFailure } from './run-failure.ts';

/** The error code of a run whose client tools have names of the agent's. */
export const takenName = 'tool_name_taken';

/** A tool of the client must not be taken for one of the agent's. */
export function requireFreeNames(own: readonly Tool[], theirs: readonly ModelTool[] = []): void {
  const names = new Set(own.map(({ tool }) => foldToolName(tool)));
  const taken = theirs.filter(({ name }) => names.has(foldToolName(name))).map(({ name }) => name);
  if (taken.length) throw new RunFailure(takenName, `The agent has tools of these names already: ${taken.join(', ')}`);
}
