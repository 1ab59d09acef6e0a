import * as z from 'zod';
import { actor } from '../actor.ts';
import * as s from '../schema/schema.ts';
import { eventKindNames } from './kinds.ts';

/** One event of a workspace. It has ids and states, and no words of conversations or documents. */
export const liveEvent = z
  .strictObject({
    event: z
      .string()
      .describe(
        'What happened, as `agent.published`; `ready` at the beginning, `reset` when events were missed or rights have changed.',
      ),
    kind: z.string().nullable().describe('The kind of record that it happened to. Null for `ready` and `reset`.'),
    target_id: z.string().nullable().describe('The id of that record.'),
    parent: z
      .strictObject({
        kind: z.string().describe('The kind of record.'),
        id: z.string().describe('Its id.'),
      })
      .nullable()
      .describe('The record that it belongs to: the conversation of a run, the knowledge base of a document.'),
    actor: actor.nullable().describe('Who did it. Null: the platform, or work that goes on by itself.'),
    at: z.iso.datetime().describe('When it happened (ISO 8601, UTC).'),
    data: z
      .strictObject({
        status: z.string().optional().describe('The state that the record has now.'),
        type: z.string().optional().describe('The type of an approval, a job or a channel.'),
        stage: z.string().optional().describe('What is being done.'),
        progress: z.number().optional().describe('How far it is, in percent.'),
        count: z.number().optional().describe('How many records it is about.'),
        code: z.string().optional().describe('Why it failed, for programs.'),
        run_id: z.string().optional().describe('The run that an approval belongs to.'),
        reason: z.string().optional().describe('Why a `reset` was sent: `missed` or `rights`.'),
      })
      .describe('The new state, as far as the event has one.'),
  })
  .meta({ id: 'LiveEvent' });

/** The most of the `types` parameter: every kind, and a few events by name. */
const mostTypes = 2000;

export const liveEventsQuery = s.query({
  types: s
    .optional(s.str({ min: 1, max: mostTypes }))
    .describe(
      `Only these events, separated by commas: kinds (\`document\`) or events by name (\`agent.published\`); all unless given. Kinds: ${eventKindNames.join(', ')}.`,
    ),
  last_event_id: s
    .optional(s.str({ max: 100 }))
    .describe('The id of the last event that was received, for clients that can not send the `Last-Event-ID` header.'),
  seconds: s
    .optional(s.int({ ge: 0, le: 86_400 }))
    .describe('How long to keep the stream open; 0 sends what is there and ends. Unless given, it stays open.'),
});

export type LiveEvent = z.output<typeof liveEvent>;
export type LiveEventsQuery = z.output<typeof liveEventsQuery>;
