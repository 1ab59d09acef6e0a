import type { ModelTool } from '../../drivers/models/driver.ts';
import type { Tool } from '../../lib/tool.ts';
import { baseTools } from '../settings/base-tools.ts';
import { otherTools } from '../settings/other-tools.ts';
import { RunFailure } from './run-failure.ts';

/** Names that a model or a person might take for one another are the same name. */
const folded = (name: string) => name.toLowerCase().replaceAll('-', '_');

const reserved = [...baseTools, ...otherTools].map(({ type }) => type);

/** The platform's tools are named `<type>_<verb>`, whether or not this agent has them; clients' tools are not. */
export const isReservedName = (name: string) =>
  reserved.some((type) => folded(name) === type || folded(name).startsWith(`${type}_`));

/** The error code of a run whose client tools have names of the agent's. */
export const takenName = 'tool_name_taken';

/** A tool of the client must not be taken for one of the agent's. */
export function requireFreeNames(own: readonly Tool[], theirs: readonly ModelTool[] = []): void {
  const names = new Set(own.map(({ tool }) => folded(tool)));
  const taken = theirs.filter(({ name }) => names.has(folded(name))).map(({ name }) => name);
  if (taken.length) throw new RunFailure(takenName, `The agent has tools of these names already: ${taken.join(', ')}`);
}
