import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { documentTexts } from '../../text/knowledge/documents.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { useBase } from '../base/base-context.ts';
import type { KbDocument } from '../queries.ts';

const words = documentTexts.one;
const partSize = 20_000;
/** How much of the text before a place is shown with it. */
const before = 1500;

/** The text as the last training read it, block by block; a place that was asked for is marked. */
export function DocumentText({ item, start }: { item: KbDocument; start: number | undefined }) {
  const client = useClient();
  const base = useBase();
  const { id: w } = useWorkspace();
  const from = Math.max(0, (start ?? 0) - before);
  const query = useInfiniteQuery({
    queryKey: [w, 'documents', base.id, 'text', item.id, from],
    queryFn: ({ pageParam }) => client.documents.text(base.id, item.id, { start: pageParam, max_chars: partSize }),
    initialPageParam: from,
    getNextPageParam: ({ next_start }) => next_start ?? undefined,
  });
  const marked = useRef<HTMLParagraphElement>(null);
  const isThere = query.isSuccess;
  useEffect(() => {
    if (isThere) marked.current?.scrollIntoView({ block: 'center' });
  }, [isThere]);
  if (query.isPending) return <Loading rows={8} onRetry={() => void query.refetch()} />;
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />;
  const blocks = query.data.pages.flatMap((page) => page.blocks);
  if (blocks.length === 0) return <p className="text-dense text-text-2">{words.noText}</p>;
  const cited = start === undefined ? undefined : blocks.find((block) => block.start <= start && start < block.end);
  return (
    <div className="flex flex-col gap-2.5 text-reading">
      {blocks.map((block, index) => (
        <div key={block.start}>
          {block.page !== null && block.page !== blocks[index - 1]?.page && (
            <p className="num mb-1 text-caption text-text-3">{words.page(block.page)}</p>
          )}
          <p
            ref={block === cited ? marked : undefined}
            dir="auto"
            className={cx(
              'wrap-anywhere whitespace-pre-wrap',
              block.kind === 'heading' && 'font-semibold',
              ['code', 'table', 'row'].includes(block.kind) && 'font-mono text-code',
              block === cited && '-ml-2.5 border-l-2 border-accent pl-2',
            )}
          >
            {block.kind === 'heading' ? block.text.replace(/^#+\s*/, '') : block.text}
          </p>
        </div>
      ))}
      {query.hasNextPage && (
        <Button className="self-center" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t.ui.loadMore}
        </Button>
      )}
    </div>
  );
}
