import * as z from 'zod';
import * as s from '../schema/schema.ts';
import { workflow, workflowTypes } from './schema.ts';
import { definitionError } from './trial-schema.ts';

export const workflowFileFormat = 'atrium.workflow';
export const workflowFileVersion = 1;

const path = z.array(z.string()).describe('The keys and indexes that lead to the place in the file.');
const kind = z.string().describe('The kind of record, such as `knowledge_base` or `workflow`.');
const recordName = z
  .string()
  .nullable()
  .describe('The name of the record. Null: not known, or the caller may not use it.');
const storedGraph = z.looseObject({});

/** A workflow as a file that another workspace or installation can take. */
export const workflowFile = z
  .strictObject({
    format: z.literal(workflowFileFormat).describe('Names the format of the file.'),
    version: z.literal(workflowFileVersion).describe('The version of the format.'),
    exported_at: z.iso.datetime().describe('When the file was made (ISO 8601, UTC).'),
    workflow: z
      .strictObject({
        name: z.string().describe('The name of the workflow.'),
        type: z.enum(workflowTypes).describe('The type of the workflow.'),
        error_handler: z.guid().nullable().describe('The workflow that handles its failures. Null: none.'),
        drafts: z.boolean().describe('Whether a new definition goes to the draft.'),
        definition: storedGraph.describe('The published graph without its credentials.'),
        draft_definition: storedGraph.nullable().describe('The graph of the draft, likewise. Null: there is no draft.'),
      })
      .describe('The workflow.'),
    references: z
      .array(z.strictObject({ kind, id: z.string().describe('The id of the record.'), name: recordName }))
      .describe('The records that it refers to.'),
    variables: z.array(z.string()).describe('The names that it has in braces or in variable nodes.'),
    secrets: z.array(z.strictObject({ path })).describe('The places where a credential was left out.'),
  })
  .meta({ id: 'WorkflowFile' });

/** That file, and where its references shall point to. */
export const workflowImport = s
  .object({
    format: s.oneOf([workflowFileFormat]).describe('Names the format of the file.'),
    version: z.literal(workflowFileVersion).describe('The version of the format.'),
    exported_at: s.optional(s.datetime()).describe('When the file was made; not used.'),
    workflow: s
      .object({
        name: s.str({ min: 1, max: 500 }).describe('The name of the workflow.'),
        type: s.withDefault(s.oneOf(workflowTypes), 'flow').describe('The type of the workflow.'),
        error_handler: s
          .optional(s.str({ max: 100 }))
          .describe('The id that the error handler had where the file was made.'),
        drafts: s.withDefault(s.bool(), false).describe('Whether a new definition goes to the draft.'),
        definition: s.dict().describe('The graph.'),
        draft_definition: s.optional(s.dict()).describe('The graph of the draft, if there is one.'),
      })
      .describe('The workflow.'),
    references: s
      .withDefault(
        s.list(
          s.object({
            kind: s.str({ max: 100 }).describe('The kind of record, such as `knowledge_base` or `workflow`.'),
            id: s.str({ max: 100 }).describe('The id of the record where the file was made.'),
            name: s.optional(s.str({ max: 1000 })).describe('The name that a record of this workspace is matched by.'),
          }),
          { max: 10_000 },
        ),
        [],
      )
      .describe('The records that it refers to.'),
    variables: s
      .withDefault(s.list(s.str({ max: 1000 }), { max: 10_000 }), [])
      .describe('The names of its variables; not used: the graph has them too.'),
    secrets: s
      .withDefault(
        s.list(
          s.object({ path: s.list(s.str({ max: 1000 }), { max: 100 }).describe('The keys and indexes of the place.') }),
          {
            max: 10_000,
          },
        ),
        [],
      )
      .describe('The places where a credential was left out.'),
    mapping: s
      .withDefault(z.record(z.string(), s.uuid()), {})
      .describe('Records of this workspace to use in place of those of the file: from id to id.'),
  })
  .meta({ id: 'WorkflowImport' });

const importReport = z
  .strictObject({
    mapped: z
      .array(
        z.strictObject({
          kind,
          from: z.string().describe('The id in the file.'),
          to: z.string().describe('The id in this workspace.'),
        }),
      )
      .describe('The references that now name another record.'),
    missing: z
      .array(z.strictObject({ kind, id: z.string().describe('The id in the file.'), name: recordName, path }))
      .describe('The references that were dropped, since no record that the caller may use matches.'),
    variables: z
      .array(z.string())
      .describe('The names in braces or variable nodes that no variable of this workspace has.'),
    secrets: z.array(z.strictObject({ path })).describe('The places that need a credential before they work.'),
    errors: z
      .array(definitionError)
      .describe('What has to be mended in the graph before it can run, such as nodes whose record was dropped.'),
  })
  .meta({ id: 'WorkflowImportReport' });

export const workflowImported = z
  .strictObject({
    workflow: workflow.describe('The workflow that was created.'),
    report: importReport.describe('What became of the references, variables and credentials of the file.'),
  })
  .meta({ id: 'WorkflowImported' });

export type WorkflowFile = z.output<typeof workflowFile>;
export type WorkflowImport = z.output<typeof workflowImport>;
export type WorkflowImportReport = z.output<typeof importReport>;
