import type { BodyOf } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import { useBase } from '../base/base-context.ts';

export type Trial = Readonly<Record<string, unknown>>;

/** A search with its reasons. It is asked once: an event of a document does not pay for a reranker again. */
export function useExplainedSearch(q: string, prefix: string | undefined, trial: Trial | undefined) {
  const client = useClient();
  const base = useBase();
  const { id: w } = useWorkspace();
  return useQuery({
    queryKey: [w, 'explained-searches', base.id, q, prefix ?? '', trial ?? null],
    queryFn: async ({ signal }) => {
      const began = performance.now();
      const body: BodyOf<'knowledgeBases.search'> = {
        ...{ query: q, explain: true },
        ...(prefix && { prefix }),
        ...(trial && { settings_: trial as BodyOf<'knowledgeBases.search'>['settings_'] }),
      };
      const hits = await client.knowledgeBases.search(base.id, body, { signal });
      return { hits, ms: performance.now() - began };
    },
    enabled: q !== '',
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
}

/** The passages before and after one, from the document itself. */
export function useNeighbours(passageId: string, enabled: boolean) {
  const client = useClient();
  const base = useBase();
  const { id: w } = useWorkspace();
  const { data } = useQuery({
    queryKey: [w, 'documents', base.id, 'neighbours', passageId],
    queryFn: () => client.knowledgeBases.listChunks(base.id, { around: passageId, size: 3 }),
    enabled,
    staleTime: 60_000,
  });
  const own = data?.items.findIndex(({ id }) => id === passageId) ?? -1;
  if (!data || own < 0) return undefined;
  return { before: data.items[own - 1], own: data.items[own], after: data.items[own + 1] };
}
