import * as z from 'zod';
import { fieldKinds } from '../form-fields/form.ts';
import * as s from '../schema/schema.ts';

export const searchTypes = [
  'agents',
  'conversations',
  'messages',
  'knowledge_bases',
  'documents',
  'passages',
  'tables',
  'columns',
  'workflows',
  'steps',
  'variables',
  'settings',
  'help',
] as const;
export type SearchType = (typeof searchTypes)[number];

const markedText = z
  .strictObject({
    text: z.string().describe('Plain text. Anything in it that looks like markup was written by users.'),
    marks: z
      .array(
        z.strictObject({
          start: z.int().describe('Where the mark begins in `text`, in UTF-16 units.'),
          end: z.int().describe('Where it ends.'),
        }),
      )
      .describe('The places in `text` that match, in their order; they do not overlap.'),
  })
  .meta({ id: 'MarkedText' });

const id = (what: string) => z.string().optional().describe(`The id of ${what}.`);
const target = z
  .strictObject({
    agent_id: id('the agent'),
    conversation_id: id('the conversation'),
    message_id: id('the message'),
    seq: z.int().optional().describe('The number of the message in its conversation.'),
    knowledge_base_id: id('the knowledge base'),
    document_id: id('the document'),
    passage_id: id('the passage'),
    start: z.int().optional().describe('Where the passage begins in the text of its document, in UTF-16 units.'),
    end: z.int().optional().describe('Where it ends.'),
    page: z.int().nullable().optional().describe('The page of the passage; null where the document has no pages.'),
    table_id: id('the table'),
    column: z.string().optional().describe('The name of the column.'),
    workflow_id: id('the workflow'),
    step_id: id('the step in the graph of the workflow'),
    variable_id: id('the variable'),
    form: z.enum(fieldKinds).optional().describe('The form that has the setting, as in `GET /v1/fields/{kind}`.'),
    variant: z
      .string()
      .nullable()
      .optional()
      .describe('The variant of the form that has the setting; null: all have it.'),
    setting: z.string().optional().describe('The key of the setting.'),
    operation_id: id('the operation, in the reference'),
  })
  .meta({ id: 'SearchTarget' });

const hit = z
  .strictObject({
    title: markedText.describe('The name of what was found.'),
    text: markedText
      .nullable()
      .describe('A piece of its text around the first match; null where the title says it all.'),
    target: target.describe('What to open, and where in it.'),
  })
  .meta({ id: 'SearchHit' });

const group = z
  .strictObject({
    type: z.enum(searchTypes).describe('What the hits are.'),
    hits: z.array(hit).describe('The first hits of this type.'),
    more: z.boolean().describe('Whether there are more hits than `limit`.'),
  })
  .meta({ id: 'SearchGroup' });

const leftOut = z
  .strictObject({
    type: z.enum(searchTypes).describe('The type that was not searched.'),
    reason: z.enum(['encrypted']).describe('Why: `encrypted`, its texts are encrypted in the database.'),
    message: z.string().describe('The reason in words.'),
  })
  .meta({ id: 'SearchLeftOut' });

export const searchAnswer = z
  .strictObject({
    groups: z.array(group).describe('The hits by type, in the order of the types; a type without hits has no group.'),
    left_out: z.array(leftOut).describe('Types that were asked for, are allowed and could not be searched.'),
  })
  .meta({ id: 'SearchAnswer' });

export const searchQuery = s.query({
  q: s
    .str({ min: 1, max: 200, pattern: /\S/ })
    .describe(
      'The text to find, in any case. Names contain it as it stands; messages and passages have all its words, each at the beginning of a word.',
    ),
  types: s
    .optional(s.str({ min: 1, max: 300 }))
    .describe(`Only these types, separated by commas; all unless given. Types: ${searchTypes.join(', ')}.`),
  limit: s.withDefault(s.int({ ge: 1, le: 20 }), 5).describe('The most hits of each type.'),
});

export type SearchQuery = z.output<typeof searchQuery>;
export type SearchAnswer = z.output<typeof searchAnswer>;
export type SearchTarget = z.output<typeof target>;
export type MarkedText = z.output<typeof markedText>;
