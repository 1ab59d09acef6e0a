import * as z from 'zod';
import { file } from '../files/schema.ts';
import { pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';

export const conversationFile = file
  .extend({
    path: z.string().describe('The name that tools use for the file; unique in the conversation.'),
    origin: z
      .enum(['attached', 'made', 'agent'])
      .describe('Where the file comes from: `attached` to a message, `made` by a tool, or one of the `agent`.'),
    inline: z.boolean().describe('Whether the reply shows the file itself instead of a link to it.'),
  })
  .meta({ id: 'ConversationFile' });

export const fileListQuery = s.query({ ...pageFields });

export type ConversationFile = z.output<typeof conversationFile>;
export type FileListQuery = z.output<typeof fileListQuery>;
