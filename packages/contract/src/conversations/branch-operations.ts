import { operation } from '../operation.ts';
import { conflicts, noSuch } from '../operation-errors.ts';
import { messageParams } from '../runs/schema.ts';
import { branchPlace, branchPlaces } from './branch-schema.ts';
import { conversationsRoutes } from './routes.ts';
import { conversation, conversationParams } from './schema.ts';

const tag = 'Messages';
const permission = 'agents_run';

export const listBranches = operation({
  id: 'branches.list',
  route: conversationsRoutes['branches.list'],
  summary: 'List the branches of a conversation',
  description:
    'Returns the places of the conversation, as it is shown, that an edit or another answer has given several branches, in their order. A client shows "2 of 3" at `message_id` of each.',
  tag,
  permission,
  params: conversationParams,
  answer: branchPlaces,
});

export const listBranchesOfMessage = operation({
  id: 'branches.listOfMessage',
  route: conversationsRoutes['branches.listOfMessage'],
  summary: 'List the branches of a message',
  description:
    'Returns the branches at the place of a message: the message itself, and those that stood there before or since. Of a reply they are those of the message that it answers, since another answer begins a branch there.',
  tag,
  permission,
  params: messageParams,
  answer: branchPlace,
});

export const chooseBranch = operation({
  id: 'branches.choose',
  route: conversationsRoutes['branches.choose'],
  summary: 'Show another branch of a conversation',
  description:
    'Shows the branch that has this message, with all that followed in it, and returns the conversation; the next message continues there. The branch that was shown is kept. Choosing the branch that is shown changes nothing.',
  tag,
  permission,
  audit: { none: 'messages are content' },
  params: messageParams,
  answer: conversation,
  errors: [
    noSuch('conversation or message'),
    conflicts('conversation_busy', 'The agent answers, or waits for a person, in the branch that is shown.'),
    conflicts('branch_not_shown', 'The branch begins in another one that is not shown; choose that one first.'),
    { status: 423, code: 'locked', description: 'The conversation is locked.' },
  ],
});

export const branchOperations = [listBranches, listBranchesOfMessage, chooseBranch];
