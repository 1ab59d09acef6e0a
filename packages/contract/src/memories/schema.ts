import { z } from 'zod';
import { pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';

export const longestMemory = 2000;
export const subjects = ['everyone', 'user', 'link'] as const;

export const memory = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    /** The agent that remembers it in all its conversations; null when it belongs to one conversation. */
    agent_id: z.guid().nullable(),
    /** The one conversation it belongs to. */
    conversation_id: z.guid().nullable(),
    /** Whom it is about and told to again: everyone, one user, or whoever holds the link of one conversation. */
    subject: z.enum(subjects),
    subject_id: z.guid().nullable(),
    text: z.string(),
    /** Where it comes from. */
    provenance: z.strictObject({
      conversation_id: z.guid().nullable(),
      run_id: z.guid().nullable(),
      actor: z.strictObject({ kind: z.string(), id: z.string() }),
      /** Whether whoever wrote it had read what anybody may have written: web pages, uploaded files, other servers. */
      untrusted: z.boolean(),
    }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Memory' });

export const memoryListQuery = s.query({
  ...pageFields,
  search: s.optional(s.str({ max: 500 })),
  subject_id: s.optional(s.str({ max: 100 })),
});
export const memoryWrite = s
  .object({ text: s.str({ min: 1, max: longestMemory, pattern: /\S/ }) })
  .meta({ id: 'MemoryWrite' });

export type Memory = z.output<typeof memory>;
export type MemoryListQuery = z.output<typeof memoryListQuery>;
