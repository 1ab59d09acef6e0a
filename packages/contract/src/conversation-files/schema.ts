import { z } from 'zod';
import { file } from '../files/schema.ts';
import { pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';

export const conversationFile = file
  .extend({
    /** What tools call it by. */
    path: z.string(),
    /** `attached` to a message, or `made` by a tool. */
    origin: z.enum(['attached', 'made', 'agent']),
    /** Whether it is shown in the reply itself. */
    inline: z.boolean(),
  })
  .meta({ id: 'ConversationFile' });

export const fileListQuery = s.query({ ...pageFields });

export type ConversationFile = z.output<typeof conversationFile>;
export type FileListQuery = z.output<typeof fileListQuery>;
