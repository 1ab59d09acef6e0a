import type { ReactNode } from 'react';
import { ErrorState, Loading } from '../../ui/states.tsx';

interface Asked<Data> {
  data: Data | undefined;
  error: unknown;
  isPending: boolean;
  isError: boolean;
  refetch: () => unknown;
}

/** What a query has answered; until then its shape, and what failed in its place. */
export function Loaded<Data>(props: { query: Asked<Data>; rows?: number; children: (data: Data) => ReactNode }) {
  const { query, rows = 4, children } = props;
  if (query.data !== undefined) return children(query.data);
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-4" />;
  return <Loading rows={rows} onRetry={() => void query.refetch()} />;
}
