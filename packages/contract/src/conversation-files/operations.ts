import { z } from 'zod';
import { conversationParams, publicParams } from '../conversations/schema.ts';
import { operation } from '../operation.ts';
import { paged } from '../page.ts';
import * as s from '../schema/schema.ts';
import { conversationFilesRoutes } from './routes.ts';
import { conversationFile, fileListQuery } from './schema.ts';

const file_id = s.uuid('conversation_file');

export const listConversationFiles = operation({
  id: 'conversationFiles.list',
  route: conversationFilesRoutes['conversationFiles.list'],
  summary: 'List the files of a conversation: those that came with messages and those that tools made',
  tag: 'Conversations',
  permission: 'agents_run',
  params: conversationParams,
  query: fileListQuery,
  answer: paged(conversationFile),
});

export const viewConversationFile = operation({
  id: 'conversationFiles.view',
  route: conversationFilesRoutes['conversationFiles.view'],
  summary: 'View a file of a conversation, shut in by the browser',
  tag: 'Conversations',
  permission: 'agents_run',
  params: s.object({ conversation_id: s.uuid('conversation'), file_id }),
  content_type: 'application/octet-stream',
  answer: z.unknown(),
});

export const downloadSharedFile = operation({
  id: 'publicConversations.downloadFile',
  route: conversationFilesRoutes['publicConversations.downloadFile'],
  summary: 'Download a file of a shared conversation',
  tag: 'Conversations',
  permission: 'link',
  params: publicParams.extend({ file_id }),
  content_type: 'application/octet-stream',
  answer: z.unknown(),
});

export const conversationFilesOperations = [listConversationFiles, viewConversationFile, downloadSharedFile];
