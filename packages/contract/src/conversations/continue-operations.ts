import { z } from 'zod';
import { operation } from '../operation.ts';
import { noSuch } from '../operation-errors.ts';
import * as s from '../schema/schema.ts';
import { conversationsRoutes } from './routes.ts';
import { conversation, conversationParams } from './schema.ts';

const locked = { status: 423, code: 'locked', description: 'The conversation is locked.' } as const;

const summaryAnswer = z
  .strictObject({
    summary: z.string().describe('What was said, in the language of the conversation; empty when nothing was said.'),
    written_by: z
      .enum(['model', 'excerpt'])
      .describe(
        '`model`: a model of the agent has written it. `excerpt`: the last questions with the beginning of their answers, since no model could be asked.',
      ),
  })
  .meta({ id: 'ConversationDigest' });

export const summarizeConversation = operation({
  id: 'conversations.summarize',
  route: conversationsRoutes['conversations.summarize'],
  summary: 'Summarize a conversation',
  description:
    'Writes a summary with which another conversation can go on. It is written by a model of the agent, whose tokens and cost count for this conversation; where none can be asked (the built-in model, a limit, a budget, a failure), it is an excerpt. Nothing is stored.',
  tag: 'Conversations',
  permission: 'agents_run',
  audit: { none: 'it is the use of an agent, not a change of it' },
  params: conversationParams,
  answer: summaryAnswer,
  errors: [noSuch('conversation'), locked],
});

const continueBody = s
  .object({
    summary: s
      .optional(s.str({ max: 20_000 }))
      .describe(
        'What the agent is to know of this conversation: the first message of the new one. Without it the new one begins empty.',
      ),
    name: s.optional(s.str({ max: 500 })).describe('The title; that of its first message unless given.'),
  })
  .meta({ id: 'ConversationContinuation' });

export const continueConversation = operation({
  id: 'conversations.continue',
  route: conversationsRoutes['conversations.continue'],
  summary: 'Go on in a new conversation',
  description:
    'Creates a conversation of the caller with the same agent, version, settings and variables, which begins with a summary instead of the messages. Limits of messages and tokens begin anew. With a summary, the new conversation counts as having read what this one has read, and has its violations.',
  tag: 'Conversations',
  permission: 'agents_run',
  audit: { none: 'it is the use of an agent, not a change of it' },
  params: conversationParams,
  body: continueBody,
  example: { summary: '- Leave is counted in weeks\n- Still open: the rule for interns' },
  answer: conversation,
  errors: [noSuch('conversation'), locked],
});

export const conversationContinueOperations = [summarizeConversation, continueConversation];
