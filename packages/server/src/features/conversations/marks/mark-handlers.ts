import { getMarks, markConversation } from '@atrium/contract/conversations/mark-operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { Marks } from './marks.ts';

export const markRoutes = (marks: Marks): Route[] => [
  handle(getMarks, (scope, { params }) => marks.get(scope, params.conversation_id)),
  handle(markConversation, (scope, { params, body }) => marks.change(scope, params.conversation_id, body)),
];
