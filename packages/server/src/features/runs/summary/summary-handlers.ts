import { summarizeConversation } from '@atrium/contract/conversations/continue-operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { makeConversationSummarizer } from './summarize-conversation.ts';

export const summaryRoutes = (summarize: ReturnType<typeof makeConversationSummarizer>): Route[] => [
  handle(summarizeConversation, (scope, { params }) => summarize(scope, params.conversation_id)),
];
