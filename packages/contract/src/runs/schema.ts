import { z } from 'zod';
import { runStatuses } from '../conversations/schema.ts';
import { pageFields } from '../page.ts';
import * as s from '../schema/schema.ts';

/** A run as clients of this API family know it: a run of a conversation is a workflow run whose workflow it is. */
export const run = z
  .strictObject({
    id: z.guid(),
    group_id: z.guid(),
    kind: z.enum(['conversation']),
    workflow_id: z.guid(),
    conversation_id: z.guid(),
    message_id: z.guid(),
    status: z.enum(runStatuses),
    input: z.record(z.string(), z.unknown()),
    output: z.record(z.string(), z.unknown()).nullable(),
    error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
    progress: z.int(),
    progress_details: z.record(z.string(), z.unknown()).nullable(),
    node_ids: z.array(z.string()).nullable(),
    created_at: z.iso.datetime(),
    started_at: z.iso.datetime().nullable(),
    finished_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Run' });

export const runParams = s.object({ run_id: s.uuid('run') });
const runKinds = ['conversation', 'workflow'] as const;
/** What only runs of one kind have leaves out those of the other. */
export const runListQuery = s.query({
  ...pageFields,
  kind: s.optional(s.oneOf(runKinds)),
  status: s.optional(s.oneOf(runStatuses)),
  conversation_id: s.optional(s.uuid('conversation')),
  assistant_id: s.optional(s.uuid('agent')),
  workflow_id: s.optional(s.uuid('workflow')),
});

const streamFormats = ['ui', 'vercel', 'json'] as const;
const format = s.optional(s.oneOf(streamFormats));
const if_running = s.withDefault(s.oneOf(['reject', 'enqueue', 'interrupt']), 'reject');

export const sendQuery = s.query({ if_running });
export const streamQuery = s.query({ format, if_running });
export const publicStreamQuery = s.query({ format });
/** Where to go on: the etag of the conversation as last seen, or the number of the last event. */
export const eventsQuery = s.query({
  format,
  etag: s.optional(s.str({ max: 100 })),
  after: s.optional(s.int({ ge: 0, le: 2_147_483_647 })),
});

export const messageParams = s.object({ conversation_id: s.uuid('conversation'), message_id: s.uuid('message') });
export const messageEdit = s
  .object({ content: s.str({ min: 1, max: 2_000_000, pattern: /\S/ }) })
  .meta({ id: 'MessageEdit' });

export const chatAnswer = z
  .strictObject({ id: z.guid(), parts: z.array(z.looseObject({ kind: z.enum(['request', 'response']) })) })
  .meta({ id: 'ChatAnswer' });

export type RunListQuery = z.output<typeof runListQuery>;
export type RunAnswer = z.output<typeof run>;
export type StreamFormat = (typeof streamFormats)[number] | undefined;
export type IfRunning = 'reject' | 'enqueue' | 'interrupt';
