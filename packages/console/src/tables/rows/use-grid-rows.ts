import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { mostRows } from '../grid/grid-types.ts';
import { makeRowCache } from '../grid/row-cache.ts';
import { pageSize, type RowView, rowPageQuery, totalsQuery } from '../queries.ts';

/** The rows of a view: how many there are, and the pages around those in view. */
export function useGridRows(tableId: string, view: RowView, sumColumn: string) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const queries = useQueryClient();
  const [[from, to], setShown] = useState<[number, number]>([0, 0]);
  const latest = useRef<{ pages: [number, number]; timer: number | undefined }>({ pages: [0, 0], timer: undefined });
  // While one scrolls, the pages that are in view now and then are loaded, not all that are passed.
  const onView = useCallback((first: number, last: number) => {
    const { current } = latest;
    current.pages = [Math.floor(first / pageSize), Math.floor(last / pageSize)];
    current.timer ??= window.setTimeout(() => {
      current.timer = undefined;
      setShown((old) => (old.join() === current.pages.join() ? old : current.pages));
    }, 100);
  }, []);
  useEffect(() => {
    const { current } = latest;
    return () => clearTimeout(current.timer);
  }, []);
  const totals = useQuery(totalsQuery(client, w, tableId, view, sumColumn));
  const whole = useQuery({ ...totalsQuery(client, w, tableId, {}, ''), enabled: Boolean(view.filter || view.search) });
  const pages = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const loaded = useQueries({ queries: pages.map((page) => rowPageQuery(client, w, tableId, view, page)) });
  const failed = loaded.find(({ isError }) => isError) ?? (totals.isError ? totals : undefined);
  const cache = useMemo(() => makeRowCache(queries, client, w, tableId, view), [queries, client, w, tableId, view]);
  const count = totals.data?.count;
  return {
    ...{ cache, onView, count },
    rows: Math.min(count ?? 0, mostRows),
    all: whole.data?.count ?? count,
    sum: totals.data?.columns[sumColumn]?.sum,
    rowAt: (index: number) => cache.at(index)?.row,
    isPending: totals.isPending,
    // Rows are read from the cache; reading the data here draws the grid again when it changes.
    pages: loaded.map(({ data }) => data),
    error: failed?.error,
    retry: () => void queries.invalidateQueries({ queryKey: [w, 'rows', tableId] }),
  };
}
