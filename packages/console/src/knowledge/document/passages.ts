import { useInfiniteQuery } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';

const size = 50;
/** So many passages are shown where one is looked at in its place. */
const around = 7;

interface Asked {
  documentId: string;
  /** The id of a passage; with it, or with a place in the text, only its neighbours are listed. */
  at: string | undefined;
  start: number | undefined;
}

/** Passages of a document in their order. Live events of the document mark them as old. */
export function usePassages(kbId: string, { documentId, at, start }: Asked) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const place = at ?? (start === undefined ? undefined : String(start));
  return useInfiniteQuery({
    queryKey: [w, 'documents', kbId, 'passages', documentId, place ?? 'all'],
    queryFn: ({ pageParam }) =>
      client.knowledgeBases.listChunks(kbId, {
        document_id: documentId,
        ...(place === undefined ? { page: pageParam, size } : { around: place, size: around }),
      }),
    initialPageParam: 1,
    getNextPageParam: ({ page, pages }) => (place === undefined && page < pages ? page + 1 : undefined),
  });
}
