import { conflict } from '@atrium/contract/errors.ts';
import { personFields, type Scope } from '../lib/scope.ts';

/** How many runs of any kind may wait for one another: agents that ask agents, run workflows, and back. */
const longestLine = 8;

/** Refuses a run that is nested too deep: without a limit, two agents that call each other would never end. */
export function requireNestingDepth({ depth = 0 }: Pick<Scope, 'depth'>): void {
  if (depth >= longestLine)
    throw conflict(`${longestLine} runs wait for one another already, agents and workflows together`, 'too_deep');
}

/** How far the caller sees the conversations of others, for a principal that is stored. */
export const conversationLimits = ({
  own_conversations,
  conversations_of,
  record_owner_id,
  wide_reach,
}: {
  own_conversations?: true | undefined;
  conversations_of?: string | undefined;
  record_owner_id?: string | undefined;
  wide_reach?: true | undefined;
}) => ({
  ...(record_owner_id !== undefined && { record_owner_id }),
  ...(wide_reach && { wide_reach }),
  ...(own_conversations && { own_conversations }),
  ...(conversations_of !== undefined && { conversations_of }),
});

/** What the row of a run keeps of its caller: the person behind it, and how it is nested, which most runs are not. */
export const nestingFields = ({
  depth = 0,
  accounts = [],
  within,
  ...caller
}: Pick<
  Scope,
  | 'depth'
  | 'accounts'
  | 'within'
  | 'actor'
  | 'person_id'
  | 'record_owner_id'
  | 'wide_reach'
  | 'own_conversations'
  | 'conversations_of'
>) => ({
  ...personFields(caller),
  ...conversationLimits(caller),
  ...(depth > 0 && { depth }),
  ...(accounts.length > 0 && { accounts }),
  ...(within && { parent: within }),
});
