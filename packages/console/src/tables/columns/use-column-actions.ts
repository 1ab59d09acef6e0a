import type { Table } from '@atrium/contract/tables/schema.ts';
import { AtriumError } from '@atrium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { Failure } from '../../api/failures.ts';
import { useClient, useWorkspace } from '../../api/session.ts';
import { columnTexts } from '../../text/table-columns.ts';
import { failures } from '../../text/ui.ts';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import { useTable } from '../frame/table-context.ts';
import { tableQuery } from '../queries.ts';

/** Takes answers of the server into the page after a change of columns. */
export function useColumnActions() {
  const client = useClient();
  const { id: w } = useWorkspace();
  const table = useTable();
  const queries = useQueryClient();
  const { queryKey } = tableQuery(client, w, table.id);
  const take = async (changed: Table, done?: string) => {
    queries.setQueryData(queryKey, { ...changed, report: null });
    if (done) sayToast({ text: done });
    await queries.invalidateQueries({ queryKey: [w, 'rows', table.id] });
    await queries.invalidateQueries({ queryKey: [w, 'tables', 'all'] });
  };
  /** Another person's change is loaded, so that the next attempt is about it. */
  const explain = (error: AtriumError): Failure | undefined => {
    if (error.code !== 'etag_mismatch') return undefined;
    void queries.invalidateQueries({ queryKey });
    return { title: failures.conflict.title, help: columnTexts.conflict };
  };
  return {
    ...{ client, table, take, explain },
    options: { ifMatch: table.etag ?? undefined },
    async restore(name: string): Promise<void> {
      try {
        await take(await client.columns.restore(table.id, name), columnTexts.restored(name));
      } catch (error) {
        sayFailure(error);
      }
    },
  };
}

/** The rows that do not fit, of a refused change. */
export const isUnfit = (error: unknown): boolean => error instanceof AtriumError && error.code === 'rows_do_not_fit';
