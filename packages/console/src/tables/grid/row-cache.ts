import { hashKey, type QueryClient } from '@tanstack/react-query';
import { type Client, pageSize, type RowView, rowPageQuery } from '../queries.ts';
import type { Row } from './grid-types.ts';

/** A row as it was read, with its version. */
export interface SeenRow {
  row: Row;
  etag: string | undefined;
}

/** The rows of a view that the browser has, by their place in it. */
export interface RowCache {
  at(index: number): SeenRow | undefined;
  /** Loads rows that are not there yet. */
  load(from: number, to: number): Promise<SeenRow[]>;
  /** Shows other cells until the server has been asked again. */
  patch(index: number, cells: Readonly<Record<string, unknown>>): void;
}

export function makeRowCache(
  queries: QueryClient,
  client: Client,
  workspace: string,
  tableId: string,
  view: RowView,
): RowCache {
  const queryOf = (page: number) => rowPageQuery(client, workspace, tableId, view, page);
  type Page = Awaited<ReturnType<Client['rows']['list']>>;
  // The grid asks for each of its rows with each frame: the names of the pages are made once.
  const hashes = new Map<number, string>();
  const pageAt = (number: number): Page | undefined => {
    const hash = hashes.get(number) ?? hashKey(queryOf(number).queryKey);
    hashes.set(number, hash);
    return queries.getQueryCache().get<Page>(hash)?.state.data;
  };
  const at = (index: number): SeenRow | undefined => {
    const page = pageAt(Math.floor(index / pageSize));
    const row = page?.items[index % pageSize];
    return row && { row: row as Row, etag: page?.etags?.[index % pageSize] ?? undefined };
  };
  return {
    at,
    async load(from, to) {
      const [first, last] = [Math.floor(from / pageSize), Math.floor(to / pageSize)];
      for (let page = first; page <= last; page++) await queries.ensureQueryData(queryOf(page));
      return Array.from({ length: to - from + 1 }, (_, index) => at(from + index)).filter((seen) => seen !== undefined);
    },
    patch(index, cells) {
      queries.setQueryData(queryOf(Math.floor(index / pageSize)).queryKey, (page) => {
        if (!page) return page;
        const items = page.items.with(index % pageSize, { ...page.items[index % pageSize], ...cells } as Row);
        return { ...page, items };
      });
    },
  };
}
