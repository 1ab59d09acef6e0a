import { changeConversations, exportConversations } from '@atrium/contract/conversations/bulk-operations.ts';
import { handle, type Route } from '../../../lib/route.ts';
import type { ManyConversations } from './bulk.ts';

export const bulkRoutes = (many: ManyConversations): Route[] => [
  handle(changeConversations, (scope, { body }) => many.change(scope, body)),
  handle(exportConversations, (scope, { body }) => many.export(scope, body.conversation_ids)),
];
