import * as z from 'zod';
import * as s from '../schema/schema.ts';
import { draftFields, storedDefinition, warningsField } from './schema.ts';
import { definitionError } from './trial-schema.ts';

export const workflowDraft = z
  .strictObject({
    workflow_id: z.guid().describe('The workflow that the draft belongs to.'),
    definition: storedDefinition,
    ...draftFields,
    errors: z
      .array(definitionError)
      .describe('What is wrong with the draft now: it can be published once this is empty.'),
    ...warningsField,
  })
  .meta({ id: 'WorkflowDraft' });

const change = z.enum(['added', 'removed', 'changed']).describe('What the draft does to it.');
const before = z.unknown().describe('As it is published. Null: it is not.');
const after = z.unknown().describe('As the draft has it. Null: the draft does not have it.');

export const workflowDraftDiff = z
  .strictObject({
    nodes: z
      .array(
        z.strictObject({
          node_id: z.string().nullable().describe('The id of the node. Null: it has none.'),
          change,
          fields: z
            .array(z.string())
            .describe(
              'The keys of a changed node that differ, such as `node_config`; a node that was only moved has its place alone.',
            ),
          before,
          after,
        }),
      )
      .describe('The nodes that differ, in the order of the draft; those that it removes come last.'),
    edges: z
      .array(z.strictObject({ change, before, after }))
      .describe('The edges that differ. An edge that leads elsewhere is one that is removed and one that is added.'),
    keys: z
      .array(z.strictObject({ key: z.string().describe('The key of the definition.'), change, before, after }))
      .describe('The other keys of the definition that differ, such as `viewport`.'),
  })
  .meta({ id: 'WorkflowDraftDiff' });

export const draftPublish = s
  .object({
    name: s
      .optional(s.str({ min: 1, max: 500 }))
      .describe('The name of the version that keeps what was published; `Published` and the time unless given.'),
    note: s.optional(s.str({ max: 10_000 })).describe('What was changed, kept as the description of the version.'),
    etag: s
      .optional(s.str({ max: 100 }))
      .describe(
        'The `etag` of the workflow as the caller has seen it: a workflow or draft that was changed since is not published.',
      ),
  })
  .meta({ id: 'WorkflowDraftPublish' });

export type WorkflowDraft = z.output<typeof workflowDraft>;
export type WorkflowDraftDiff = z.output<typeof workflowDraftDiff>;
export type DraftPublish = z.output<typeof draftPublish>;
