import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { RowsTable } from '../../ui/file/rows-table.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { Loading } from '../../ui/states.tsx';
import { FilePages } from './file-pages.tsx';
import type { ShownFile } from './shown-file.ts';

const words = t.chatParts.files.office;

/** What an Office file says: sheets as tables, slides and documents as text. Its picture where that can't be read. */
export function OfficePages({ file }: { file: ShownFile }) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const may = useMay()('files_read');
  const [at, setAt] = useState('0');
  const { data, isPending, error } = useQuery({
    queryKey: [w, 'files', file.id, 'contents'],
    queryFn: () => client.files.contents(file.id, undefined, { maxRetries: 0 }),
    enabled: may && file.id !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (!may || file.id === '' || error || data?.pages.length === 0) return <FilePages file={file} />;
  if (isPending) return <Loading rows={6} />;
  const { pages, complete } = data;
  const isWorkbook = pages.some(({ name }) => name !== null);
  const options = pages.map(({ name }, place) => ({ value: String(place), label: name ?? words.page(place + 1) }));
  const sheet = pages[Number(at)];
  return (
    <div className="flex flex-col gap-3">
      {isWorkbook && pages.length > 1 && (
        <Segmented label={words.sheets} value={at} options={options} onChange={setAt} />
      )}
      {isWorkbook ? (
        sheet?.blocks.map((block) => <BlockTable key={at} block={block} name={sheet.name ?? file.name} />)
      ) : (
        <section
          aria-label={file.name}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard.
          tabIndex={0}
          dir="auto"
          className="flex max-h-[65dvh] flex-col gap-3 overflow-auto rounded-2 border border-line p-4 text-reading"
        >
          {pages.map((page, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pages of a file keep their places.
            <PageBlocks key={place} page={page} name={file.name} />
          ))}
        </section>
      )}
      {!complete && <p className="text-caption text-text-3">{words.cut}</p>}
    </div>
  );
}

type Contents = Awaited<ReturnType<ReturnType<typeof useClient>['files']['contents']>>;
type Page = Contents['pages'][number];

/** The text of one page or slide. Lines of a list stand in one list. */
function PageBlocks({ page: { blocks, number }, name }: { page: Page; name: string }) {
  const shown: ReactNode[] = [];
  for (let at = 0; at < blocks.length; at++) {
    const block = blocks[at] as Page['blocks'][number];
    if (block.kind === 'list_item') {
      const from = at;
      while (blocks[at + 1]?.kind === 'list_item') at++;
      shown.push(
        <ul key={from} className="list-disc ps-5">
          {blocks.slice(from, at + 1).map(({ text }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a file keep their places.
            <li key={place}>{text}</li>
          ))}
        </ul>,
      );
    } else if (block.kind === 'table') shown.push(<BlockTable key={at} block={block} name={name} />);
    else if (block.kind === 'heading')
      shown.push(
        <h3 key={at} className="text-label font-semibold">
          {block.text}
        </h3>,
      );
    else
      shown.push(
        <p key={at} className="whitespace-pre-wrap">
          {block.text}
        </p>,
      );
  }
  return (
    <>
      {number !== null && <p className="num text-caption text-text-3">{words.page(number)}</p>}
      {shown}
    </>
  );
}

function BlockTable({ block: { rows, row_count }, name }: { block: Page['blocks'][number]; name: string }) {
  const [head = [], ...rest] = rows;
  return <RowsTable name={name} head={head} rows={rest} count={row_count - 1} />;
}
