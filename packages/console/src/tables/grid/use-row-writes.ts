import { AtriumError } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import { rowTexts } from '../../text/table-rows.ts';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { sayCell } from './cell-values.ts';
import type { GridColumn, Row } from './grid-types.ts';
import type { RowCache, SeenRow } from './row-cache.ts';
import { note, runInOrder } from './undo-store.ts';

type Cells = Readonly<Record<string, unknown>>;
/** Cells of one row to write, by the place of the row. */
export interface RowWrite {
  index: number;
  seen: SeenRow;
  cells: Cells;
}
/** The changes of a write, whose ids are asked for while the person goes on. */
interface Written {
  changes: Promise<readonly string[]>;
}
const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** Writes rows: at once in the page, then on the server, as commands that can be taken back. */
export function useRowWrites(tableId: string, cache: RowCache) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const key = `${w}.${tableId}`;
  const refresh = () => queries.invalidateQueries({ queryKey: [w, 'rows', tableId] });

  /** The change that wrote these cells of a row. */
  async function findChange(rowId: string | number, cells: Cells): Promise<string[]> {
    const { items } = await client.rows.history(tableId, rowId, { size: 5 });
    const fits = ({ after }: (typeof items)[number]) =>
      Object.entries(cells).every(([column, value]) => same(after?.[column], value));
    const found = items.find(fits) ?? items[0];
    return found ? [found.change_id] : [];
  }
  /** Does it, notes it, and shows what the server has afterwards. */
  async function attempt(label: string, action: () => Promise<Written | undefined>) {
    try {
      await runInOrder(key, async () => {
        const written = await action();
        const changes = written?.changes;
        if (changes) note(key, { label, changes });
        // A lost id of a change only means that it can't be taken back, which the attempt will say.
        changes?.catch(() => {});
      });
      return true;
    } catch (error) {
      sayFailure(error);
      return false;
    } finally {
      await refresh();
    }
  }

  /** Writes one cell, unless another caller changed it since it was read. */
  async function edit(index: number, column: GridColumn, value: unknown, force = false): Promise<void> {
    const seen = cache.at(index);
    if (!seen || (!force && same(seen.row[column.name], value))) return;
    const { id } = seen.row;
    const cells = { [column.name]: value };
    cache.patch(index, cells);
    const send = (etag: string | undefined) => client.rows.update(tableId, id, cells, etag ? { ifMatch: etag } : {});
    await attempt(rowTexts.commands.edit(column.label), async () => {
      try {
        await send(force ? undefined : seen.etag);
      } catch (error) {
        if (!(error instanceof AtriumError) || error.code !== 'etag_mismatch') throw error;
        let etag: string | undefined;
        const onResponse = ({ headers }: Response) => {
          etag = headers.get('etag')?.replaceAll('"', '') ?? undefined;
        };
        const now = (await client.rows.get(tableId, id, undefined, { onResponse })) as Row;
        if (!same(now[column.name], seen.row[column.name])) {
          sayToast({
            ...{ text: rowTexts.conflict(column.label), bad: true },
            help: rowTexts.theirs(sayCell(column, now[column.name])),
            action: { label: rowTexts.writeMine, onClick: () => void edit(index, column, value, true) },
          });
          return undefined;
        }
        // Other cells of the row changed, this one did not.
        await send(etag);
      }
      return { changes: findChange(id, cells) };
    });
  }

  /** Writes cells of many rows: the same in each by one request that minds their versions, else by an upsert. */
  async function write(label: string, writes: readonly RowWrite[], added: readonly Cells[] = []): Promise<boolean> {
    const changed = writes.filter(({ seen, cells }) =>
      Object.entries(cells).some(([column, value]) => !same(seen.row[column], value)),
    );
    for (const { index, cells } of changed) cache.patch(index, cells);
    const [first] = changed;
    return attempt(label, async () => {
      const changes: Promise<readonly string[]>[] = [];
      if (first && changed.every(({ cells }) => same(cells, first.cells))) {
        const etags = changed.map(({ seen }) => seen.etag).filter((etag) => etag !== undefined);
        const { change_id } = await client.rows.bulk(tableId, {
          ...{ action: 'update', ids: changed.map(({ seen }) => seen.row.id), values: first.cells },
          ...(etags.length === changed.length && { etags }),
        });
        if (change_id) changes.push(Promise.resolve([change_id]));
      } else if (first) {
        await client.rows.upsert(tableId, {
          on: 'id',
          rows: changed.map(({ seen, cells }) => ({ id: seen.row.id, ...cells })),
        });
        changes.push(findChange(first.seen.row.id, first.cells));
      }
      if (added.length > 0) {
        const { ids } = (await client.rows.insert(tableId, [...added])) as { ids: (string | number)[] };
        if (ids[0] !== undefined) changes.push(findChange(ids[0], {}));
      }
      return changes.length > 0 ? { changes: Promise.all(changes).then((all) => all.flat()) } : undefined;
    });
  }

  const insert = () => write(rowTexts.commands.insert(1), [], [{}]);

  async function remove(rows: readonly SeenRow[]): Promise<void> {
    await attempt(rowTexts.commands.delete(rows.length), async () => {
      const { change_id } = await client.rows.bulk(tableId, { action: 'delete', ids: rows.map(({ row }) => row.id) });
      return change_id ? { changes: Promise.resolve([change_id]) } : undefined;
    });
  }
  return { edit, write, insert, remove };
}
export type RowWrites = ReturnType<typeof useRowWrites>;
