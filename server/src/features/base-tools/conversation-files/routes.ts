import { z } from 'zod';
import { RawAnswer } from '../../../lib/answer.ts';
import { paged } from '../../../lib/page.ts';
import { defineRoute, type Route } from '../../../lib/route.ts';
import * as s from '../../../lib/schema/schema.ts';
import { isOutsider, type Scope } from '../../../lib/scope.ts';
import { conversationParams, publicParams } from '../../conversations/schema.ts';
import { attachment } from '../../files/download.ts';
import { pagePolicy } from '../files/formats/html.ts';
import { conversationFile, fileListQuery } from './schema.ts';
import type { ConversationFiles } from './service.ts';

const file_id = s.uuid('conversation_file');

/**
 * A file to look at: in a sandbox of the browser, with nothing to fetch and no script to run. What is no page or image
 * is saved, and so is what came with messages, which may be a stranger's, and everything that a guest asks for.
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

/** The files of a conversation, for those who may read it. */
export const conversationFileRoutes = (
  kept: ConversationFiles,
  requireConversation: (scope: Scope, id: string) => Promise<unknown>,
): Route[] => [
  defineRoute({
    route: 'GET /v1/conversations/{conversation_id}/files',
    summary: 'List the files of a conversation: those that came with messages and those that tools made',
    tag: 'Conversations',
    permission: 'agents_run',
    params: conversationParams,
    query: fileListQuery,
    answer: paged(conversationFile),
    handler: async (scope, { params, query }) => {
      await requireConversation(scope, params.conversation_id);
      return kept.page(scope, params.conversation_id, query);
    },
  }),
  defineRoute({
    route: 'GET /v1/conversations/{conversation_id}/files/{file_id}',
    summary: 'View a file of a conversation, shut in by the browser',
    tag: 'Conversations',
    permission: 'agents_run',
    params: s.object({ conversation_id: s.uuid('conversation'), file_id }),
    content_type: 'application/octet-stream',
    answer: z.unknown(),
    handler: async (scope, { params }) => {
      await requireConversation(scope, params.conversation_id);
      return view(kept, scope, params.conversation_id, params.file_id);
    },
  }),
  defineRoute({
    route: 'GET /v1/public/conversations/{token}/files/{file_id}',
    summary: 'Download a file of a shared conversation',
    tag: 'Conversations',
    permission: 'link',
    params: publicParams.extend({ file_id }),
    content_type: 'application/octet-stream',
    answer: z.unknown(),
    handler: (scope, { params }) => view(kept, scope, scope.actor.id, params.file_id),
  }),
];
