import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { useAddress } from '../../chat/parts/file-bytes.ts';
import { documentTexts } from '../../text/knowledge/documents.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Loading } from '../../ui/states.tsx';
import { useBase } from '../base/base-context.ts';
import type { KbDocument } from '../queries.ts';

const words = documentTexts.one;

/** The pages of a PDF, or the one picture of an image, drawn by the server. */
export function DocumentPages({ item }: { item: KbDocument }) {
  const client = useClient();
  const base = useBase();
  const { id: w } = useWorkspace();
  const [page, setPage] = useState(1);
  const count = Math.max(1, item.pages ?? 1);
  const query = useQuery({
    queryKey: [w, 'documents', base.id, 'page', item.id, page],
    // The request names the workspace, which an address of a picture alone can't.
    queryFn: async () => (await client.documents.page(base.id, item.id, page, { width: 1024 })).blob(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const address = useAddress(query.data);
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-2 text-dense">
        <IconButton
          label={words.previousPage}
          icon={<ChevronLeft size={16} />}
          disabled={page <= 1}
          onClick={() => setPage(page - 1)}
        />
        <span role="status" className="num">
          {words.pageOf(page, count)}
        </span>
        <IconButton
          label={words.nextPage}
          icon={<ChevronRight size={16} />}
          disabled={page >= count}
          onClick={() => setPage(page + 1)}
        />
      </div>
      {query.isPending && <Loading rows={6} />}
      {query.isError && <p className="text-dense text-text-2">{words.noPicture}</p>}
      {address && query.data && (
        <img src={address} alt={words.pageOf(page, count)} className="w-full rounded-2 border border-line bg-surface" />
      )}
    </div>
  );
}
