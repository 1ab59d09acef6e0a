import * as z from 'zod';
import * as s from '../schema/schema.ts';
import { workflowTypes } from './schema.ts';

export const workflowValidate = s
  .object({
    type: s.withDefault(s.oneOf(workflowTypes), 'flow').describe('The type that the definition must be valid for.'),
    definition: s.dict().describe('The graph: `nodes` and `edges`, and any other keys.'),
  })
  .meta({ id: 'WorkflowValidate' });

export const definitionError = z.strictObject({
  loc: z.array(z.string()).describe('The keys that lead to the place, as a save would answer them.'),
  msg: z.string().describe('What is wrong, in words for people.'),
  type: z.string().describe('A code that programs can branch on.'),
  node_id: z.string().nullable().describe('The id of the node that has the error. Null: no node has it.'),
  edge: z.int().nullable().describe('The position of the edge that has the error, from 0. Null: no edge has it.'),
});

export const workflowCheck = z
  .strictObject({
    valid: z.boolean().describe('Whether the definition could be saved without `force`.'),
    errors: z
      .array(definitionError)
      .describe('What is wrong, at most 100 errors of the graph and all ids that name nothing.'),
  })
  .meta({ id: 'WorkflowCheck' });

export const expressionEvaluate = s
  .object({
    expression: s.str({ max: 10_000 }).describe('The expression, as a condition or a transform has it.'),
    sample: s.withDefault(s.dict(), () => ({})).describe('The values that the expression can name.'),
    workflow_id: s
      .optional(s.uuid('workflow'))
      .describe(
        'A workflow whose kept samples give the values that the steps before `node_id` bring; needs `flows_edit`. `sample` comes before them.',
      ),
    node_id: s.optional(s.str({ min: 1, max: 100 })).describe('The step of the workflow that has the expression.'),
    cursor: s
      .optional(s.int({ ge: 0, le: 10_000 }))
      .describe('Where completions are wanted, in characters from 0; at the end unless given.'),
  })
  .meta({ id: 'ExpressionEvaluate' });

export const expressionTrial = z
  .strictObject({
    value: z.unknown().describe('The value of the expression for the sample. Null also when there is an error.'),
    error: z
      .strictObject({
        message: z.string().describe('Why it cannot be read or evaluated.'),
        at: z.int().nullable().describe('The place in the expression, in characters from 0. Null: not known.'),
      })
      .nullable()
      .describe('Null: the expression has a value.'),
    completions: z
      .array(
        z.strictObject({
          text: z.string().describe('The whole word to write.'),
          kind: z.enum(['name', 'key', 'function']).describe('A name of the sample, a key of a value, or a function.'),
        }),
      )
      .describe('Words that fit at the cursor, at most 100.'),
    replace_from: z.int().describe('Where the word at the cursor begins: a completion replaces it up to the cursor.'),
  })
  .meta({ id: 'ExpressionTrial' });

export type WorkflowValidate = z.output<typeof workflowValidate>;
export type WorkflowCheck = z.output<typeof workflowCheck>;
export type ExpressionEvaluate = z.output<typeof expressionEvaluate>;
export type ExpressionTrial = z.output<typeof expressionTrial>;
