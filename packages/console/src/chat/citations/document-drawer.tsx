import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Drawer } from '../../ui/drawer.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { closeDocument, type DocumentPlace, useOpenDocument } from './open-document.ts';

/** How much of the text before the passage is shown with it. */
const before = 1500;
const partSize = 12_000;

const words = (text: string) => text.replaceAll(/[#\s]+/g, ' ').trim();

/** Whether a block is part of the words that were cited, or holds them. */
function isQuoted(text: string, quote: string | undefined): boolean {
  const [block, cited] = [words(text), words(quote ?? '')];
  return block !== '' && cited !== '' && (cited.includes(block) || block.includes(cited));
}

/** The text of a cited document, with the passage marked and in view. */
export function DocumentDrawer() {
  const place = useOpenDocument((state) => state.place);
  return (
    <Drawer open={place !== undefined} onClose={closeDocument} title={place?.title ?? ''}>
      {place && <PlaceLink place={place} />}
      {place && <DocumentText place={place} />}
    </Drawer>
  );
}

/** The way to the document in its knowledge base, at the passage that was cited. */
function PlaceLink({ place }: { place: DocumentPlace }) {
  const { id: w } = useWorkspace();
  if (!useMay()('kbs_query')) return null;
  return (
    <p className="px-4 pt-3 text-dense">
      <Link
        to="/w/$w/knowledge/$id/documents"
        params={{ w, id: place.kb_id }}
        search={{ doc: place.document_id, start: String(place.start) }}
        onClick={closeDocument}
      >
        {t.chat.citation.inBase}
      </Link>
    </p>
  );
}

function DocumentText({ place }: { place: DocumentPlace }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const from = Math.max(0, place.start - before);
  const text = useInfiniteQuery({
    queryKey: [w, 'documents', place.document_id, 'text', from],
    queryFn: ({ pageParam }) =>
      client.documents.text(place.kb_id, place.document_id, { start: pageParam.start, max_chars: pageParam.chars }),
    initialPageParam: { start: from, chars: partSize },
    getNextPageParam: (last) => (last.next_start === null ? undefined : { start: last.next_start, chars: partSize }),
    getPreviousPageParam: (_first, _all, param) =>
      param.start > 0
        ? { start: Math.max(0, param.start - partSize), chars: Math.max(100, Math.min(param.start, partSize)) }
        : undefined,
  });
  if (text.isPending) return <Loading rows={8} onRetry={() => void text.refetch()} />;
  if (text.isError) return <ErrorState error={text.error} onRetry={() => void text.refetch()} />;
  const blocks = text.data.pages.flatMap((page) => page.blocks);
  if (blocks.length === 0) return <EmptyState title={t.chat.citation.noText} />;
  const isInPassage = (block: { start: number; end: number }) =>
    block.start < Math.max(place.end, place.start + 1) && block.end > place.start;
  const quoted = blocks.filter((block) => isInPassage(block) && isQuoted(block.text, place.quote));
  // Without a quote that fits, the whole passage is what was cited.
  const isCited = (block: (typeof blocks)[number]) => (quoted.length ? quoted.includes(block) : isInPassage(block));
  const first = blocks.findIndex(isCited);
  return (
    <div className="flex flex-col gap-2.5 px-4 py-4 text-reading">
      {text.hasPreviousPage && (
        <Button size="small" busy={text.isFetchingPreviousPage} onClick={() => void text.fetchPreviousPage()}>
          {t.chat.citation.earlier}
        </Button>
      )}
      {blocks.map((block, index) => (
        <DocumentBlock
          key={block.start}
          kind={block.kind}
          text={block.text}
          page={block.page !== blocks[index - 1]?.page ? block.page : null}
          cited={isCited(block)}
          inPassage={isInPassage(block)}
          first={index === first}
        />
      ))}
      {text.hasNextPage && (
        <Button size="small" busy={text.isFetchingNextPage} onClick={() => void text.fetchNextPage()}>
          {t.chat.citation.later}
        </Button>
      )}
    </div>
  );
}

interface DocumentBlockProps {
  kind: string;
  text: string;
  page: number | null;
  cited: boolean;
  inPassage: boolean;
  first: boolean;
}

function DocumentBlock({ kind, text, page, cited, inPassage, first }: DocumentBlockProps) {
  const place = useRef<HTMLElement>(null);
  useEffect(() => {
    if (first) place.current?.scrollIntoView({ block: 'center' });
  }, [first]);
  const shown = kind === 'heading' ? text.replace(/^#+\s*/, '') : text;
  return (
    <>
      {page !== null && (
        <p className="mt-1 text-caption text-text-3 first-letter:uppercase">{t.chat.citation.page(page)}</p>
      )}
      <p
        dir="auto"
        className={cx(
          'wrap-anywhere whitespace-pre-wrap',
          kind === 'heading' && 'font-semibold',
          (kind === 'code' || kind === 'table' || kind === 'row') && 'font-mono text-code',
          !inPassage && 'text-text-2',
          inPassage && '-ml-2.5 border-l-2 border-accent-line pl-2',
        )}
      >
        {cited ? (
          <mark ref={place} {...(first && { title: t.chat.citation.passage })} className="box-decoration-clone px-0.5">
            {shown}
          </mark>
        ) : (
          shown
        )}
      </p>
    </>
  );
}
