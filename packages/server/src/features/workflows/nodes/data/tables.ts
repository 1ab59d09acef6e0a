import { tableReadNodeType, tableWriteNodeType } from '@atrium/contract/workflows/node-types/data/tables.ts';
import type { Rows } from '../../../tables/ports.ts';
import { requirePermission, rethrowAsNodeFailure } from '../../node-services/rethrow-as-node-failure.ts';
import type { RunOnce } from '../../node-services/run-once.ts';
import { defineNode } from '../define-node.ts';
import { NodeFailure } from '../node-failure.ts';

export const makeTableReadNode = (rows: Pick<Rows, 'search'>) =>
  defineNode(tableReadNodeType, async (context, { variables }, { table_id, filters, sort, limit }) => {
    requirePermission(context.scope, 'tables_read');
    const names = variables as Record<string, unknown>;
    const filled = await Promise.all(
      filters.map(async ({ column, op, value }) => ({
        column,
        op,
        value: await fillValue(value, names, context.render),
      })),
    );
    const query = { size: limit, total: false, ...(sort && { sort }) };
    const { items } = await rethrowAsNodeFailure(rows.search(context.scope, table_id, query, filled));
    return { rows: items };
  });

type Render = (text: string, values: Record<string, unknown>) => Promise<string>;

/** A value that is a single ((Key)) keeps its type: a number stays a number. */
async function fillValue(value: unknown, names: Record<string, unknown>, render: Render): Promise<unknown> {
  if (typeof value !== 'string') return value;
  const whole = /^\(\((.+)\)\)$/s.exec(value)?.[1]?.trim();
  if (whole !== undefined && Object.hasOwn(names, whole)) return names[whole];
  return render(value, names);
}

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
  once: RunOnce;
}) =>
  defineNode(tableWriteNodeType, async ({ scope: acting, key }, { rows: given }, { table_id, operation, on }) => {
    // Rows that a workflow writes may come from any source that it reads, so they are untrusted.
    const scope = { ...acting, brings: ['untrusted' as const] };
    requirePermission(scope, operation === 'delete' ? 'tables_delete' : 'tables_edit');
    const list = rowsOf(given);
    const part = (index: number) => `${key}:${index}`;
    const idOf = ({ id }: Record<string, unknown>) => {
      if (typeof id === 'string' || typeof id === 'number') return String(id);
      throw new NodeFailure('bad_rows', 'A row that is changed or deleted needs its id', { passing: false });
    };
    if (operation === 'insert')
      return { result: await rethrowAsNodeFailure(once(scope, key, (own) => rows.insertMany(own, table_id, list))) };
    if (operation === 'upsert')
      return {
        result: await rethrowAsNodeFailure(once(scope, key, (own) => rows.upsert(own, table_id, { rows: list, on }))),
      };
    if (operation === 'delete') {
      let deleted = 0;
      for (const row of list)
        deleted += await countRemoved(rethrowAsNodeFailure(rows.remove(scope, table_id, idOf(row))));
      return { result: { deleted } };
    }
    for (const [index, row] of list.entries()) {
      const { id: _, ...cells } = row;
      await rethrowAsNodeFailure(once(scope, part(index), (own) => rows.update(own, table_id, idOf(row), cells)));
    }
    return { result: { updated: list.length } };
  });

/** A row that does not exist any more, perhaps because of an earlier try, is no failure. */
async function countRemoved(work: Promise<void>): Promise<number> {
  try {
    await work;
    return 1;
  } catch (error) {
    if (error instanceof NodeFailure && error.code === 'not_found') return 0;
    throw error;
  }
}
