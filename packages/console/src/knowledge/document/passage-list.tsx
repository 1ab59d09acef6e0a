import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useMay } from '../../api/session.ts';
import { t } from '../../text/en.ts';
import { baseTexts } from '../../text/knowledge/bases.ts';
import { documentTexts } from '../../text/knowledge/documents.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorState, Loading } from '../../ui/states.tsx';
import { useBase } from '../base/base-context.ts';
import type { KbDocument, Passage } from '../queries.ts';
import { PassageDialog } from './passage-dialog.tsx';
import { PassageRow } from './passage-row.tsx';
import { usePassages } from './passages.ts';

const words = documentTexts.one;

interface PassageListProps {
  item: KbDocument;
  at: string | undefined;
  start: number | undefined;
}

/** The passages of a document in their order, or one of them with its neighbours. */
export function PassageList({ item, at, start }: PassageListProps) {
  const base = useBase();
  const mayEdit = useMay()('kbs_edit');
  const navigate = useNavigate({ from: '/w/$w/knowledge/$id/documents' });
  const query = usePassages(base.id, { documentId: item.id, at, start });
  const [edited, setEdited] = useState<Passage | 'new'>();
  const isAround = at !== undefined || start !== undefined;
  const passages = query.data?.pages.flatMap((page) => page.items) ?? [];
  const isAsked = (passage: Passage) =>
    at ? passage.id === at : start !== undefined && passage.start <= start && start < passage.end;
  const asked = passages.find(isAsked);
  const refused = (!mayEdit && baseTexts.needsEdit) || (item.status !== 'trained' && words.inTraining);
  if (query.isPending) return <Loading rows={8} onRetry={() => void query.refetch()} />;
  if (query.isError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />;
  const showAll = () =>
    void navigate({ search: (old) => ({ ...old, passage: undefined, start: undefined }), replace: true });
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2 text-dense text-text-2">
        {isAround ? (
          <>
            {words.around}
            <Button size="small" look="ghost" onClick={showAll}>
              {words.showAll}
            </Button>
          </>
        ) : (
          <span className="num">{words.passageCount(query.data.pages[0]?.total ?? 0)}</span>
        )}
        <Button
          size="small"
          className="ml-auto"
          icon={<Plus size={13} aria-hidden />}
          refused={refused}
          onClick={() => setEdited('new')}
        >
          {words.addPassage}
        </Button>
      </div>
      {passages.length === 0 && <p className="text-dense text-text-2">{words.noPassages}</p>}
      <ol aria-label={words.views.passages} className="flex flex-col gap-2.5">
        {passages.map((passage) => (
          <PassageRow
            key={passage.id}
            passage={passage}
            isAsked={passage === asked}
            isDimmed={asked !== undefined && passage !== asked}
            refused={refused}
            onEdit={() => setEdited(passage)}
          />
        ))}
      </ol>
      {query.hasNextPage && (
        <Button className="self-center" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t.ui.loadMore}
        </Button>
      )}
      {edited && (
        <PassageDialog
          documentId={item.id}
          passage={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </div>
  );
}
