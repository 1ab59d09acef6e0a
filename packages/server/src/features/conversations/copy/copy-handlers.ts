import { continueConversation } from '@atrium/contract/conversations/continue-operations.ts';
import { copyConversation } from '@atrium/contract/conversations/copy-operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { ConversationPresenter } from '../ports.ts';
import type { ContinueConversation } from './continue.ts';
import type { CopyConversation } from './copy.ts';

export const copyRoutes = (
  copy: CopyConversation,
  goOn: ContinueConversation,
  present: ConversationPresenter,
): Route[] => [
  handle(
    continueConversation,
    (scope, { params, body }) => goOn(scope, params.conversation_id, body),
    present.conversation,
  ),
  handle(
    copyConversation,
    (scope, { params, body }) => copy(scope, params.conversation_id, params.message_id, body.name),
    present.conversation,
  ),
];
