import { operation } from '../operation.ts';
import { conflicts, noSuch } from '../operation-errors.ts';
import { messageParams } from '../runs/schema.ts';
import * as s from '../schema/schema.ts';
import { conversationsRoutes } from './routes.ts';
import { conversation } from './schema.ts';

const copyBody = s
  .object({
    name: s.optional(s.str({ max: 500 })).describe('The title of the copy; that of the conversation unless given.'),
  })
  .meta({ id: 'ConversationCopy' });

export const copyConversation = operation({
  id: 'conversations.copy',
  route: conversationsRoutes['conversations.copy'],
  summary: 'Copy a conversation up to a message',
  description:
    'Creates a conversation of the caller with the same agent, version, settings and variables, and with the messages that are shown up to this one, which get new ids. What limits the conversation limits the copy too: tokens used, violations and sources that it has read count there. Its link, tags, feedback, memories, files that the agent made and locks that were turned off stay behind.',
  tag: 'Conversations',
  permission: 'agents_run',
  audit: { none: 'it is the use of an agent, not a change of it' },
  params: messageParams,
  body: copyBody,
  example: { name: 'Another way' },
  answer: conversation,
  errors: [
    noSuch('conversation or message'),
    conflicts('conversation_busy', 'The agent answers, or waits for a person.'),
    conflicts('conversation_too_long', 'More than 5,000 messages would be copied.'),
    { status: 423, code: 'locked', description: 'The conversation is locked.' },
  ],
});

export const conversationCopyOperations = [copyConversation];
