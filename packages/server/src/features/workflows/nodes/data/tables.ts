import * as s from '@atrium/contract/schema/schema.ts';
import { type FilterOperator, filterOperators } from '@atrium/contract/tables/schema.ts';
import { z } from 'zod';
import type { Rows } from '../../../tables/rows/row-service.ts';
import { requirePermission, told } from '../../node-services/rethrow-as-node-failure.ts';
import type { Once } from '../../node-services/run-once.ts';
import { c } from '../../node-types/config-fields.ts';
import { keyed, plain } from '../../node-types/connectors.ts';
import { defineNode, NodeFailure } from '../../node-types/define-node.ts';

const filter = s.object({
  column: s.str({ min: 1, max: 200 }),
  op: s.withDefault(s.oneOf(filterOperators), 'eq'),
  value: z.unknown(),
});
type Condition = { column: string; op: FilterOperator; value?: unknown };
const table_id = c.reference('table', { description: 'The table' });

export const makeTableReadNode = (rows: Pick<Rows, 'search'>) =>
  defineNode({
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
    async run(context, { variables }, { table_id, filters, sort, limit }) {
      requirePermission(context.scope, 'tables_read');
      const names = variables as Record<string, unknown>;
      const filled = await Promise.all(
        filters.map(async ({ column, op, value }) => ({
          column,
          op,
          value: await filledValue(value, names, context.render),
        })),
      );
      const query = { size: limit, total: false, ...(sort && { sort }) };
      const { items } = await told(rows.search(context.scope, table_id, query, filled));
      return { rows: items };
    },
  });

type Render = (text: string, values: Record<string, unknown>) => Promise<string>;

/** A value that is one key and nothing else keeps its type: a number stays a number. */
async function filledValue(value: unknown, names: Record<string, unknown>, render: Render): Promise<unknown> {
  if (typeof value !== 'string') return value;
  const whole = /^\(\((.+)\)\)$/s.exec(value)?.[1]?.trim();
  if (whole !== undefined && Object.hasOwn(names, whole)) return names[whole];
  return render(value, names);
}

type Write = 'insert' | 'upsert' | 'update' | 'delete';

function rowsOf(value: unknown): Record<string, unknown>[] {
  const list = Array.isArray(value) ? value : [value];
  if (list.every((row) => typeof row === 'object' && row !== null && !Array.isArray(row))) return list;
  throw new NodeFailure('bad_rows', 'A row is an object with a value for each column', { passing: false });
}

export const makeTableWriteNode = ({
  rows,
  once,
}: {
  rows: Pick<Rows, 'insertMany' | 'upsert' | 'update' | 'remove'>;
  once: Once;
}) =>
  defineNode({
    type: 'TableWriteNode',
    title: 'Write table',
    description: 'Adds, changes or deletes rows of a table.',
    category: 'data',
    effects: 'outside',
    // What a try has done is known by its key.
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
    async run({ scope: acting, key }, { rows: given }, { table_id, operation, on }) {
      // What flows write may come from anywhere that they read.
      const scope = { ...acting, brings: ['untrusted' as const] };
      requirePermission(scope, operation === 'delete' ? 'tables_delete' : 'tables_edit');
      const list = rowsOf(given);
      const part = (index: number) => `${key}:${index}`;
      const idOf = ({ id }: Record<string, unknown>) => {
        if (typeof id === 'string' || typeof id === 'number') return String(id);
        throw new NodeFailure('bad_rows', 'A row that is changed or deleted needs its id', { passing: false });
      };
      if (operation === 'insert')
        return { result: await told(once(scope, key, (own) => rows.insertMany(own, table_id, list))) };
      if (operation === 'upsert')
        return { result: await told(once(scope, key, (own) => rows.upsert(own, table_id, { rows: list, on }))) };
      if (operation === 'delete') {
        let deleted = 0;
        for (const row of list) deleted += await removed(told(rows.remove(scope, table_id, idOf(row))));
        return { result: { deleted } };
      }
      for (const [index, row] of list.entries()) {
        const { id: _, ...cells } = row;
        await told(once(scope, part(index), (own) => rows.update(own, table_id, idOf(row), cells)));
      }
      return { result: { updated: list.length } };
    },
  });

/** One that is gone already, perhaps by an earlier try, is no failure. */
async function removed(work: Promise<void>): Promise<number> {
  try {
    await work;
    return 1;
  } catch (error) {
    if (error instanceof NodeFailure && error.code === 'not_found') return 0;
    throw error;
  }
}
