import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { documentTexts } from '../../text/knowledge/documents.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { EmptyState, Loading } from '../../ui/states.tsx';
import { useAddress } from './file-bytes.ts';
import type { ShownFile } from './shown-file.ts';

const words = documentTexts.one;

/** The pages of a PDF, or the beginning of an Office document, drawn by the server. */
export function FilePages({ file }: { file: ShownFile }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const may = useMay()('files_read');
  const [page, setPage] = useState(1);
  const { data, error } = useQuery({
    queryKey: [w, 'files', file.id, 'page', page],
    queryFn: async () => {
      const answer = await client.files.thumbnail(file.id, { width: 1024, page }, { maxRetries: 0 });
      return { bytes: await answer.blob(), count: Number(answer.headers.get('x-page-count') ?? 1) };
    },
    enabled: may && file.id !== '',
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const address = useAddress(data?.bytes);
  if (error || !may) return <EmptyState title={t.chatParts.files.noPreview} className="py-8" />;
  if (!address || !data) return <Loading rows={6} />;
  return (
    <div className="flex flex-col gap-3">
      {data.count > 1 && (
        <div className="flex items-center justify-center gap-2 text-dense">
          <IconButton
            label={words.previousPage}
            icon={<ChevronLeft size={16} />}
            disabled={page <= 1}
            onClick={() => setPage(page - 1)}
          />
          <span role="status" className="num">
            {words.pageOf(page, data.count)}
          </span>
          <IconButton
            label={words.nextPage}
            icon={<ChevronRight size={16} />}
            disabled={page >= data.count}
            onClick={() => setPage(page + 1)}
          />
        </div>
      )}
      <img
        src={address}
        alt={data.count > 1 ? `${file.name}, ${words.pageOf(page, data.count)}` : file.name}
        className="mx-auto max-w-full rounded-2 border border-line bg-surface"
      />
    </div>
  );
}
