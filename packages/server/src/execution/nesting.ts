import { conflict } from '@atrium/contract/errors.ts';
import type { Scope } from '../lib/scope.ts';

/** How many runs may wait for one another in a line, of whichever kinds: agents that ask agents or run workflows, and back. */
const longestLine = 8;

/** Refuses a run that would be one too many in its line. Without an end to it two that call each other never come to theirs. */
export function requireNestingDepth({ depth = 0 }: Pick<Scope, 'depth'>): void {
  if (depth >= longestLine)
    throw conflict(`${longestLine} runs wait for one another already, agents and workflows together`, 'too_deep');
}

/** What a run's row keeps of where it stands in its line; most stand alone. */
export const nestingFields = ({ depth = 0, accounts = [] }: Pick<Scope, 'depth' | 'accounts'>) => ({
  ...(depth > 0 && { depth }),
  ...(accounts.length > 0 && { accounts }),
});
