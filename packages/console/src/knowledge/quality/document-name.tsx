import { useQuery } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import { searchTexts } from '../../text/knowledge/search.ts';
import { useBase } from '../base/base-context.ts';

/** The name of a document, read by its id: only those who see the document learn it. */
export function useDocumentName(id: string): string {
  const client = useClient();
  const base = useBase();
  const { id: w } = useWorkspace();
  const { data: listed, isSuccess } = useQuery({
    queryKey: [w, 'documents', base.id, 'names'],
    queryFn: async () => {
      const { items } = await client.documents.list(base.id, { view: 'summary', size: 100 });
      return Object.fromEntries(items.map((item) => [item.id, item.name]));
    },
    staleTime: 30_000,
  });
  const known = listed?.[id];
  const { data: found, isError } = useQuery({
    queryKey: [w, 'documents', base.id, 'name', id],
    queryFn: async () => (await client.documents.get(base.id, id)).name,
    enabled: isSuccess && known === undefined,
  });
  return known ?? found ?? (isError ? searchTexts.quality.goneDocument : '…');
}

export const DocumentName = ({ id }: { id: string }) => useDocumentName(id);
