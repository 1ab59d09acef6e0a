import * as z from 'zod';
import { conversationId, conversationParams, publicParams } from '../conversations/schema.ts';
import { operation } from '../operation.ts';
import { paged, summaryOf } from '../page.ts';
import * as s from '../schema/schema.ts';
import { conversationFilesRoutes } from './routes.ts';
import { conversationFile, fileListQuery } from './schema.ts';

const file_id = s.uuid('conversation_file').describe('The id of the file.');

export const listConversationFiles = operation({
  id: 'conversationFiles.list',
  route: conversationFilesRoutes['conversationFiles.list'],
  summary: 'List the files of a conversation',
  description:
    'Returns the files that came with messages, that tools made and that the agent has, page by page. Tools use them by `path`, which is unique in the conversation.',
  tag: 'Conversations',
  permission: 'agents_run',
  params: conversationParams,
  query: fileListQuery,
  answer: paged(
    conversationFile,
    summaryOf(conversationFile, ['id', 'filename', 'path', 'size', 'content_type', 'origin', 'created_at']),
  ),
});

export const viewConversationFile = operation({
  id: 'conversationFiles.view',
  route: conversationFilesRoutes['conversationFiles.view'],
  summary: 'View a file of a conversation',
  description:
    'Returns the bytes of a file of the conversation. Pages, texts and images that tools made or the agent has are shown inline in a browser sandbox without scripts or network; all other files are sent as downloads.',
  tag: 'Conversations',
  permission: 'agents_run',
  params: s.object({ conversation_id: conversationId, file_id }),
  content_type: 'application/octet-stream',
  answer: z.unknown(),
});

export const downloadSharedFile = operation({
  id: 'publicConversations.downloadFile',
  route: conversationFilesRoutes['publicConversations.downloadFile'],
  summary: 'Download a file of a shared conversation',
  description:
    'Returns the bytes of a file of the conversation that the link opens, always as a download. Other files of the workspace answer 404.',
  tag: 'Conversations',
  permission: 'link',
  params: publicParams.extend({ file_id }),
  content_type: 'application/octet-stream',
  answer: z.unknown(),
});

export const conversationFilesOperations = [listConversationFiles, viewConversationFile, downloadSharedFile];
