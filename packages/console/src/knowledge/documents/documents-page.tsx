import { useNavigate, useSearch } from '@tanstack/react-router';
import { type DragEvent, Suspense, useDeferredValue, useRef, useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { documentTexts } from '../../text/knowledge/documents.ts';
import { cx } from '../../ui/cx.ts';
import { useBase } from '../base/base-context.ts';
import { type DocumentFilter, type DocumentStatus, sayFolder, useDocuments } from '../queries.ts';
import { UploadPanel } from '../uploads/upload-panel.tsx';
import { useAddFiles } from '../uploads/use-add-files.ts';
import { DocumentList } from './document-list.tsx';
import { DocumentsToolbar } from './documents-toolbar.tsx';

const DocumentPane = lazyPart(() =>
  import('../document/document-pane.tsx').then(({ DocumentPane }) => ({ default: DocumentPane })),
);
const words = documentTexts;
const statuses: readonly string[] = ['uploaded', 'training', 'trained', 'error', 'folder'];
const isStatus = (status: string | undefined): status is DocumentStatus => statuses.includes(status ?? '');
const isSort = (sort: string | undefined): sort is DocumentFilter['sort'] => (sort ?? '') in words.list.sorts;

/** The documents of a knowledge base; the chosen one stands beside them, or in their place where there is no room. */
export function DocumentsPage() {
  const base = useBase();
  const client = useClient();
  const { id: w } = useWorkspace();
  const mayEdit = useMay()('kbs_edit');
  const shown = useSearch({ from: '/signed-in/w/$w/knowledge/$id/documents' });
  const navigate = useNavigate({ from: '/w/$w/knowledge/$id/documents' });
  const [isOver, setOver] = useState(false);
  const section = useRef<HTMLElement>(null);
  const { add } = useAddFiles(base.id);
  const filter: DocumentFilter = {
    search: useDeferredValue(shown.search?.trim() ?? ''),
    prefix: shown.prefix,
    status: isStatus(shown.status) ? shown.status : undefined,
    sort: isSort(shown.sort) ? shown.sort : '-created_at',
  };
  const query = useDocuments(client, w, base.id, filter);
  const folder = shown.prefix ?? '/';
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (mayEdit) add([...event.dataTransfer.files], folder);
  };
  const onDragOver = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(mayEdit);
  };
  const close = () => {
    const opened = shown.doc;
    void navigate({
      search: ({ doc: _, passage: __, start: ___, view: ____, ...old }) => old,
      replace: true,
    });
    // The row that was opened gets the focus back.
    setTimeout(() => section.current?.querySelector<HTMLElement>(`[data-document="${opened}"]`)?.focus(), 50);
  };
  return (
    <div className="flex min-h-0 min-w-0 flex-1">
      {/* Dropping has its equal in the button that chooses files. */}
      <section
        ref={section}
        aria-label={words.list.label}
        onDragOver={onDragOver}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        className={cx(
          'relative min-w-0 flex-1 overflow-y-auto',
          shown.doc && 'max-wide:hidden',
          isOver && 'outline-2 -outline-offset-4 outline-accent',
        )}
      >
        <DocumentsToolbar filter={{ ...filter, search: shown.search ?? '' }} onAdd={(files) => add(files, folder)} />
        <UploadPanel kbId={base.id} />
        <DocumentList query={query} filter={filter} chosen={shown.doc} />
        {isOver && (
          <div className="pointer-events-none sticky bottom-6 mx-auto w-fit rounded-3 bg-accent px-4 py-2 font-medium text-on-accent shadow-2">
            {words.add.drop}
            <span className="block text-caption">{words.add.dropIn(sayFolder(folder))}</span>
          </div>
        )}
      </section>
      {shown.doc && (
        <aside
          aria-label={words.one.label}
          className="flex min-w-0 flex-col border-line bg-bg max-wide:flex-1 wide:w-117 wide:flex-none wide:border-l"
        >
          <Suspense>
            <DocumentPane key={shown.doc} id={shown.doc} onClose={close} />
          </Suspense>
        </aside>
      )}
    </div>
  );
}
