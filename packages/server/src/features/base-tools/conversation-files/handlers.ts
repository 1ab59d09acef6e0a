import {
  downloadSharedFile,
  listConversationFiles,
  viewConversationFile,
} from '@atrium/contract/conversation-files/operations.ts';
import { RawAnswer } from '../../../lib/responses/raw-answer.ts';
import { handle, type Route } from '../../../lib/route.ts';
import { isOutsider, type Scope } from '../../../lib/scope.ts';
import { attachment } from '../../files/service.ts';
import { pagePolicy } from '../files/formats/html.ts';
import type { ConversationFiles } from './service.ts';

/**
 * Shows a file in a sandboxed frame without scripts and without network access. Files that are neither pages nor images
 * are downloaded, and so are files of messages, which may come from strangers, and all files for guests.
 */
async function view(kept: ConversationFiles, scope: Scope, conversation_id: string, id: string): Promise<RawAnswer> {
  const one = await kept.get(scope, conversation_id, id);
  const { content_type, filename, size } = one.file;
  const isOurs = one.origin !== 'attached' && !isOutsider(scope);
  const shows = isOurs && /^(?:text\/(?:html|plain|csv|markdown)|image\/(?:png|jpeg|gif|webp))$/.test(content_type);
  return new RawAnswer(await kept.read(scope, one), {
    'content-type': content_type.startsWith('text/') ? `${content_type}; charset=utf-8` : content_type,
    'content-length': String(size),
    'content-disposition': shows ? attachment(filename).replace(/^attachment/, 'inline') : attachment(filename),
    'cache-control': 'private, no-cache',
    'x-content-type-options': 'nosniff',
    'content-security-policy': `sandbox; ${pagePolicy}; frame-ancestors 'self'`,
  });
}

/** The files of a conversation, for callers that may read it. */
export const conversationFileRoutes = (
  kept: ConversationFiles,
  requireConversation: (scope: Scope, id: string) => Promise<unknown>,
): Route[] => [
  handle(listConversationFiles, async (scope, { params, query }) => {
    await requireConversation(scope, params.conversation_id);
    return kept.page(scope, params.conversation_id, query);
  }),
  handle(viewConversationFile, async (scope, { params }) => {
    await requireConversation(scope, params.conversation_id);
    return view(kept, scope, params.conversation_id, params.file_id);
  }),
  handle(downloadSharedFile, (scope, { params }) => view(kept, scope, scope.actor.id, params.file_id)),
];
