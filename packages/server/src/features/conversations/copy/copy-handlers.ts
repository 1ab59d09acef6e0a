import { copyConversation } from '@atrium/contract/conversations/copy-operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { ConversationPresenter } from '../ports.ts';
import type { CopyConversation } from './copy.ts';

export const copyRoutes = (copy: CopyConversation, present: ConversationPresenter): Route[] => [
  handle(
    copyConversation,
    (scope, { params, body }) => copy(scope, params.conversation_id, params.message_id, body.name),
    present.conversation,
  ),
];
