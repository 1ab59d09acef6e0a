import { AtriumError } from '@atrium/sdk';
import { QueryCache, QueryClient } from '@tanstack/react-query';
import { useSignedOut } from './signed-out.ts';

/** The SDK repeats what can be repeated; asking again here would multiply it. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof AtriumError && error.status === 401) useSignedOut.getState().notice();
    },
  }),
  defaultOptions: {
    queries: { retry: false, staleTime: 15_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});
