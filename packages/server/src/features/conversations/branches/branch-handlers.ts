import { chooseBranch, listBranches, listBranchesOfMessage } from '@atrium/contract/conversations/branch-operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { ConversationPresenter } from '../ports.ts';
import type { Conversations } from '../service.ts';
import type { Branches } from './branches.ts';

export const branchRoutes = (
  branches: Branches,
  conversations: Pick<Conversations, 'get'>,
  present: ConversationPresenter,
): Route[] => [
  handle(listBranches, (scope, { params }) => branches.places(scope, params.conversation_id)),
  handle(listBranchesOfMessage, (scope, { params }) =>
    branches.placeOf(scope, params.conversation_id, params.message_id),
  ),
  handle(
    chooseBranch,
    async (scope, { params }) => {
      await branches.choose(scope, params.conversation_id, params.message_id);
      return conversations.get(scope, params.conversation_id);
    },
    present.conversation,
  ),
];
