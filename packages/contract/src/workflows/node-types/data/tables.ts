import * as z from 'zod';
import * as s from '../../../schema/schema.ts';
import { type FilterOperator, filterOperators } from '../../../tables/schema.ts';
import { c } from '../config-fields.ts';
import { keyed, plain } from '../connectors.ts';
import { exampleId } from '../example-id.ts';
import { nodeType } from '../node-type.ts';

const filter = s.object({
  column: s.str({ min: 1, max: 200 }).describe('The column that is compared.'),
  op: s.withDefault(s.oneOf(filterOperators), 'eq').describe('How it is compared.'),
  value: z.unknown().describe('The value that it is compared with.'),
});

type Condition = { column: string; op: FilterOperator; value?: unknown };

const table_id = c.reference('table', { description: 'The table' });

type Write = 'insert' | 'upsert' | 'update' | 'delete';

export const tableReadNodeType = nodeType({
  type: 'TableReadNode',
  title: 'Read table',
  description: 'Rows of a table that fit.',
  category: 'sources',
  inputs: [keyed('variables', { optional: true })],
  outputs: [plain('rows', { data_type: 'list' })],
  config: {
    table_id,
    filters: c.list(filter as unknown as z.ZodType<Condition>, {
      default: [],
      max: 50,
      description: 'Conditions, all of which hold: {"column": "city", "op": "eq", "value": "((City))"}',
    }),
    sort: c.text({ default: '', description: 'Columns with commas between; - before one turns it around' }),
    limit: c.int({ min: 1, max: 100, default: 100, description: 'The most rows' }),
  },
  example: { table_id: exampleId, filters: [{ column: 'city', op: 'eq', value: '((City))' }], sort: '-amount' },
});

export const tableWriteNodeType = nodeType({
  type: 'TableWriteNode',
  title: 'Write table',
  description: 'Adds, changes or deletes rows of a table.',
  category: 'data',
  effects: 'outside',
  // Writes are stored under the key of the step, so a second try does not repeat them.
  repeatable: true,
  inputs: [plain('rows', { data_type: 'Custom' })],
  outputs: [plain('result', { data_type: 'dict' })],
  config: {
    table_id,
    operation: c.choice(['insert', 'upsert', 'update', 'delete'] satisfies Write[], {
      default: 'insert',
      description: 'Add rows; change or add them by a key; change or delete them by their id',
    }),
    on: c.text({ default: 'id', max: 200, description: 'The column that rows are found by when they are upserted' }),
  },
  example: { table_id: exampleId, operation: 'upsert', on: 'order_no' },
});
