import * as z from 'zod';
import { createdAt, etag, groupId, updatedAt } from '../fields.ts';
import { pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';

export const longestMemory = 2000;
export const subjects = ['everyone', 'user', 'link'] as const;

export const memory = z
  .strictObject({
    id: z.guid().describe('The id of the memory.'),
    group_id: groupId,
    agent_id: z
      .guid()
      .nullable()
      .describe('The agent that has the memory in all its conversations; null when it belongs to one conversation.'),
    conversation_id: z
      .guid()
      .nullable()
      .describe('The one conversation that the memory belongs to; null when it belongs to an agent.'),
    subject: z
      .enum(subjects)
      .describe('Who the memory is about and is used for: everyone, one user, or the guests of a shared link.'),
    subject_id: z
      .guid()
      .nullable()
      .describe('The id of the user, or of the conversation behind the link; null for everyone.'),
    subject_name: z
      .string()
      .nullable()
      .describe('The current name of the person whom the memory is about; null for everyone else.'),
    text: z
      .string()
      .describe(
        'What the agent remembers, as it was said but without secrets. Callers that may not read it get placeholders for personal data.',
      ),
    provenance: z
      .strictObject({
        conversation_id: z.guid().nullable().describe('The conversation that the memory was written in.'),
        run_id: z.guid().nullable().describe('The agent run that wrote the memory.'),
        actor: z
          .strictObject({
            kind: z.string().describe('The kind of actor, such as `person`, `api_key` or `link`.'),
            id: z.string().describe('The id of the actor.'),
            name: z
              .string()
              .nullable()
              .describe('The current name of the actor; null when it is gone, and for guests.'),
          })
          .describe('The actor that the run worked for, or that edited the memory last.'),
        untrusted: z
          .boolean()
          .describe('Whether the run had read untrusted sources before: web pages, uploaded files, other servers.'),
      })
      .describe('Where the memory comes from.'),
    created_at: createdAt,
    updated_at: updatedAt,
    etag,
  })
  .meta({ id: 'Memory' });

export const memoryListQuery = s.query({
  ...pageFields,
  search: s.optional(s.str({ max: 500 })).describe('Only memories with at least one of these words.'),
  subject_id: s.optional(s.str({ max: 100 })).describe('Only memories about the user or link with this id.'),
});
export const memoryWrite = s
  .object({ text: s.str({ min: 1, max: longestMemory, pattern: /\S/ }).describe('The new text of the memory.') })
  .meta({ id: 'MemoryWrite' });

export type Memory = z.output<typeof memory>;
export type MemoryListQuery = z.output<typeof memoryListQuery>;
