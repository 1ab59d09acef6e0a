import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { useClient } from '../api/session.ts';

export type Client = ReturnType<typeof useClient>;

/** A table with its columns; live events of tables mark it as old. */
export const tableQuery = (client: Client, workspace: string, id: string) =>
  queryOptions({ queryKey: [workspace, 'tables', 'one', id], queryFn: () => client.tables.get(id) });

/** All tables with their columns, for references and the completion of SQL. */
export const allTablesQuery = (client: Client, workspace: string) =>
  queryOptions({
    queryKey: [workspace, 'tables', 'all'],
    queryFn: async () => {
      const tables = [];
      for await (const table of client.tables.each({ size: 100 })) tables.push(table);
      return tables;
    },
    staleTime: 60_000,
  });

export const usesQuery = (client: Client, workspace: string, id: string) =>
  queryOptions({ queryKey: [workspace, 'tables', 'uses', id], queryFn: () => client.tables.listUses(id) });

/** What of the rows is shown, as the server takes it. */
export interface RowView {
  filter?: string | undefined;
  sort?: string | undefined;
  search?: string | undefined;
}

export const pageSize = 100;

/** A page of rows; asking for it is given up when it is no longer in view. */
export const rowPageQuery = (client: Client, workspace: string, id: string, view: RowView, page: number) =>
  queryOptions({
    queryKey: [workspace, 'rows', id, 'page', view, page],
    queryFn: ({ signal }) =>
      client.rows.list(id, { ...view, offset: page * pageSize, size: pageSize, etags: true }, { signal }),
    staleTime: 30_000,
    gcTime: 60_000,
  });

/** How many rows there are, and the sums of columns. */
export const totalsQuery = (client: Client, workspace: string, id: string, view: RowView, columns: string) =>
  queryOptions({
    queryKey: [workspace, 'rows', id, 'totals', view.filter, view.search, columns],
    queryFn: ({ signal }) =>
      client.rows.totals(
        id,
        {
          ...(view.filter && { filter: view.filter }),
          ...(view.search && { search: view.search }),
          ...(columns && { columns }),
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
