import { useInfiniteQuery } from '@tanstack/react-query';
import { FlaskConical, Plus } from 'lucide-react';
import { type ReactNode, Suspense, useDeferredValue, useState } from 'react';
import { useClient, useMay, useWorkspace } from '../../api/session.ts';
import { lazyPart } from '../../lib/lazy-part.ts';
import { t } from '../../text/en.ts';
import { evaluationTexts } from '../../text/evaluations.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { setsQuery } from '../evaluations.ts';
import { SetList } from './set-list.tsx';

const NewSet = lazyPart(() => import('./new-set.tsx').then(({ NewSet }) => ({ default: NewSet })));
const words = evaluationTexts.list;

interface SetsPartProps {
  agentId: string | undefined;
  search: string;
  /** The agent is that of the page around, and is not named again. */
  ofOneAgent?: boolean;
  filters?: ReactNode;
  onClear?: () => void;
}

/** The sets of a workspace or of one agent, and the button that makes one. */
export function SetsPart({ agentId, search, ofOneAgent = false, filters, onClear }: SetsPartProps) {
  const client = useClient();
  const { id: w } = useWorkspace();
  const may = useMay();
  const [making, setMaking] = useState(false);
  const query = useInfiniteQuery(setsQuery(client, w, agentId, useDeferredValue(search.trim())));
  const sets = query.data?.pages.flatMap((page) => page.items) ?? [];
  const isFiltered = Boolean(search || (agentId && !ofOneAgent));
  const makeButton = (
    <Button
      look="primary"
      icon={<Plus size={15} aria-hidden />}
      refused={!may('conversations_read') && evaluationTexts.needsRead}
      onClick={() => setMaking(true)}
    >
      {evaluationTexts.create.action}
    </Button>
  );
  return (
    <div className="mx-auto flex w-full max-w-260 flex-col gap-3 px-5 py-4 max-narrow:px-3">
      <div className="flex flex-wrap items-center gap-3">
        {filters}
        <span className="ml-auto flex items-center gap-3">
          {query.data && (
            <span className="num text-dense text-text-3">{words.count(query.data.pages[0]?.total ?? 0)}</span>
          )}
          {(sets.length > 0 || isFiltered) && makeButton}
        </span>
      </div>
      {query.isPending && <Loading rows={5} onRetry={() => void query.refetch()} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
      {sets.length > 0 && <SetList sets={sets} withAgent={!ofOneAgent} />}
      {query.hasNextPage && (
        <Button className="self-center" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t.ui.loadMore}
        </Button>
      )}
      {query.isSuccess && sets.length === 0 && (
        <EmptyState
          icon={<FlaskConical size={20} aria-hidden />}
          {...(isFiltered ? { title: words.noneFound } : words.none)}
        >
          {isFiltered && onClear && <Button onClick={onClear}>{t.ui.clearFilters}</Button>}
          {!isFiltered && makeButton}
        </EmptyState>
      )}
      <Suspense>{making && <NewSet agentId={agentId} fixed={ofOneAgent} onClose={() => setMaking(false)} />}</Suspense>
    </div>
  );
}
