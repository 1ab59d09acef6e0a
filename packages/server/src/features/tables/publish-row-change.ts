import type { Db } from '../../db/database.ts';
import { publishEvents } from '../../db/outbox.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Row } from './rows/row-source.ts';
import { markUntrusted, type TableRow } from './store.ts';

/** Events name at most so many rows, besides their number. */
const mostIds = 1000;

/**
 * Says that rows have changed to those who listen: once for each write, however many rows it had. And notes whose words
 * they are: a table that holds a stranger's brings them to every agent that reads it.
 */
export async function publishRowChange(
  tx: Db,
  scope: Scope,
  { id: table_id, name, untrusted }: TableRow,
  change: 'created' | 'updated' | 'deleted',
  ids: readonly (string | number)[],
  { row = null, count = ids.length }: { row?: Row | null; count?: number } = {},
): Promise<void> {
  if (count === 0) return;
  if (change !== 'deleted' && !untrusted && scope.brings?.includes('untrusted'))
    await markUntrusted(tx, scope.workspace_id, table_id);
  const data = { table_id, table: name, change, count, row_ids: ids.slice(0, mostIds), row };
  await publishEvents(tx, scope.workspace_id, {
    event: `row.${change}`,
    subject_id: table_id,
    cause: scope.actor.delivery_id ?? null,
    data,
  });
}
