import { AtriumError } from '@atrium/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useClient, useWorkspace } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { documentTexts } from '../../text/knowledge/documents.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { useBase } from '../base/base-context.ts';
import { DocumentState } from '../documents/document-state.tsx';
import { documentQuery, type KbDocument } from '../queries.ts';
import { DocumentAbout } from './document-about.tsx';
import { DocumentPages } from './document-pages.tsx';
import { DocumentText } from './document-text.tsx';
import { PassageList } from './passage-list.tsx';

const words = documentTexts.one;
type View = keyof typeof words.views;

interface DocumentPaneProps {
  id: string;
  onClose: () => void;
}

/** One document: its passages in order, its text, its pages, and who sees it. */
export function DocumentPane({ id, onClose }: DocumentPaneProps) {
  const base = useBase();
  const { id: w } = useWorkspace();
  const query = useQuery(documentQuery(useClient(), w, base.id, id));
  const heading = useRef<HTMLHeadingElement>(null);
  const isThere = query.data !== undefined;
  useEffect(() => {
    // A row of the list that opened it hands the focus on; a page that was opened by its address keeps it.
    if (isThere && document.activeElement?.hasAttribute('data-document')) heading.current?.focus();
  }, [isThere]);
  const isGone = query.error instanceof AtriumError && query.error.status === 404;
  if (isGone)
    return (
      <EmptyState {...words.gone}>
        <Button onClick={onClose}>{t.ui.close}</Button>
      </EmptyState>
    );
  if (query.isError && !query.data) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  if (!query.data) return <Loading rows={8} onRetry={() => void query.refetch()} />;
  return (
    <>
      <header className="flex flex-none items-start gap-2 px-4 pt-3">
        <h2 ref={heading} tabIndex={-1} className="min-w-0 flex-1 text-section break-words outline-none">
          {query.data.name}
        </h2>
        <IconButton label={t.ui.close} icon={<X size={16} />} onClick={onClose} />
      </header>
      <LoadedDocument item={query.data} />
    </>
  );
}

function LoadedDocument({ item }: { item: KbDocument }) {
  const { view: asked, passage, start: place } = useSearch({ from: '/signed-in/w/$w/knowledge/$id/documents' });
  const navigate = useNavigate({ from: '/w/$w/knowledge/$id/documents' });
  const start = place === undefined || !/^\d{1,9}$/.test(place) ? undefined : Number(place);
  const hasPages = item.pages !== null || item.doc_type?.startsWith('image/');
  const views: View[] = hasPages ? ['passages', 'text', 'pages', 'about'] : ['passages', 'text', 'about'];
  const view = views.find((each) => each === asked) ?? 'passages';
  const show = (next: View) =>
    void navigate({ search: (old) => ({ ...old, view: next === 'passages' ? undefined : next }), replace: true });
  return (
    <>
      <div className="flex flex-none flex-wrap items-center gap-3 border-b border-line px-4 pt-2 pb-3">
        <Segmented
          label={words.view}
          value={view}
          options={views.map((value) => ({ value, label: words.views[value] }))}
          onChange={show}
        />
        {item.status !== 'trained' && (
          <div className="min-w-44 flex-1">
            <DocumentState item={item} />
          </div>
        )}
      </div>
      <div
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled with the keyboard.
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto px-4 py-3 -outline-offset-2"
      >
        {view === 'passages' && <PassageList key={`${passage} ${start}`} item={item} at={passage} start={start} />}
        {view === 'text' && <DocumentText item={item} start={start} />}
        {view === 'pages' && <DocumentPages item={item} />}
        {view === 'about' && <DocumentAbout item={item} />}
      </div>
    </>
  );
}
