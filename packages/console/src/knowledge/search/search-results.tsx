import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useId } from 'react';
import { searchTexts } from '../../text/knowledge/search.ts';
import { Chip } from '../../ui/chip.tsx';
import { cx } from '../../ui/cx.ts';
import { EmptyState, ErrorState, Loading } from '../../ui/states.tsx';
import { baseFormQuery } from '../queries.ts';
import { sayValue } from '../say-value.ts';
import { HitCard } from './hit-card.tsx';
import { barsOf } from './rank-bars.ts';
import { type Trial, useExplainedSearch } from './use-search.ts';

const words = searchTexts;
/** So many of the first hits show their neighbours at once; those of the others are asked for. */
const withNeighbours = 3;

interface SearchResultsProps {
  q: string;
  prefix: string | undefined;
  title: string;
  trial: Trial | undefined;
  /** The other settings are shown where there is room for one only. */
  isHidden: boolean;
}

/** What one search found by one group of settings; what thresholds dropped is one fold away. */
export function SearchResults({ q, prefix, title, trial, isHidden }: SearchResultsProps) {
  const id = useId();
  const query = useExplainedSearch(q, prefix, trial);
  const hits = query.data?.hits ?? [];
  const bars = barsOf(hits);
  const entries = hits.flatMap((hit, index) => {
    const own = bars[index];
    return own ? { hit, bars: own, rank: index + 1 } : [];
  });
  const kept = entries.filter(({ hit }) => hit.explain?.kept !== false);
  const dropped = entries.filter(({ hit }) => hit.explain?.kept === false);
  const notes = [...new Set(hits.flatMap(({ warnings, explain }) => [...warnings, ...(explain?.notes ?? [])]))];
  const terms = hits[0]?.explain?.terms ?? [];
  return (
    <section
      aria-labelledby={id}
      className={cx(
        'min-w-0 flex-1 overflow-y-auto border-line px-4 py-3 not-first:border-l',
        isHidden && 'max-narrow:hidden',
      )}
    >
      <div className="mx-auto flex max-w-180 flex-col gap-2.5">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h2 id={id} className="text-label font-semibold">
            {title}
          </h2>
          {trial && <TrialChips trial={trial} />}
          {query.data && (
            <p role="status" className="num ml-auto text-caption text-text-3">
              {words.found(kept.length, query.data.ms)}
              {dropped.length > 0 && ` · ${words.below(dropped.length)}`}
            </p>
          )}
        </div>
        {terms.length > 0 && (
          <p className="text-caption text-text-3">
            {words.terms}{' '}
            {terms.map(({ term, weight, from }, index) => (
              <span key={`${term} ${from}`} title={from === 'feedback' ? words.feedbackTerm : undefined}>
                {index > 0 && ', '}
                <span className={from === 'question' ? 'font-medium text-text-2' : 'italic'}>{term}</span>
                {weight > 1 && ` × ${weight}`}
              </span>
            ))}
          </p>
        )}
        {notes.map((note) => (
          <p key={note} className="rounded-2 bg-warn-soft px-3 py-1.5 text-dense">
            {note}
          </p>
        ))}
        {query.isPending && <Loading rows={8} onRetry={() => void query.refetch()} />}
        {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} className="m-0" />}
        {query.isSuccess && hits.length === 0 && <EmptyState {...words.none} />}
        {kept.map(({ hit, bars: own, rank }) => (
          <HitCard key={hit.citation.chunk_id} hit={hit} bars={own} rank={rank} isOpen={rank <= withNeighbours} />
        ))}
        {dropped.length > 0 && (
          <details className="group rounded-3 border border-dashed border-line-2">
            <summary className="flex min-h-10 cursor-pointer list-none items-center gap-2 px-3.5 text-dense text-text-2">
              <ChevronRight size={14} aria-hidden className="transition-transform group-open:rotate-90" />
              <span className="font-medium">{words.dropped(dropped.length)}</span>
            </summary>
            <div className="flex flex-col gap-2.5 px-2.5 pb-2.5">
              {dropped.map(({ hit, bars: own, rank }) => (
                <HitCard key={hit.citation.chunk_id} hit={hit} bars={own} rank={rank} isOpen={false} />
              ))}
            </div>
          </details>
        )}
      </div>
    </section>
  );
}

/** What is on trial, by the names of the settings. */
export function TrialChips({ trial }: { trial: Trial }) {
  const { data: form } = useQuery(baseFormQuery);
  return Object.entries(trial).map(([key, value]) => {
    const field = form?.fields.find((each) => each.key === key);
    const option = field?.options?.find((each) => each.value === value);
    const shown = option?.label ?? sayValue(value);
    return (
      <Chip key={key} tone="info">
        {field?.label ?? key}: {shown}
      </Chip>
    );
  });
}
