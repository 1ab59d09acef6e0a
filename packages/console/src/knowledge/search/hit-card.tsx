import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useWorkspace } from '../../api/session.ts';
import { Marked } from '../../shell/palette/marked.tsx';
import { searchTexts } from '../../text/knowledge/search.ts';
import { Button } from '../../ui/button.tsx';
import { useBase } from '../base/base-context.ts';
import { HitBars } from './hit-bars.tsx';
import type { Bars, Hit } from './rank-bars.ts';
import { useNeighbours } from './use-search.ts';

const words = searchTexts;

interface HitCardProps {
  hit: Hit;
  bars: Bars;
  rank: number;
  /** Its neighbours are shown from the first. */
  isOpen: boolean;
}

/** A passage that was found: its words marked, its neighbours dimmed, and why it stands where it does. */
export function HitCard({ hit, bars, rank, isOpen }: HitCardProps) {
  const base = useBase();
  const { id: w } = useWorkspace();
  const [hasNeighbours, setNeighbours] = useState(isOpen);
  const { citation, content, explain, document_source } = hit;
  const near = useNeighbours(citation.chunk_id, hasNeighbours);
  const place = [
    citation.page !== null && words.page(citation.page),
    near?.own && words.passage(near.own.position + 1),
  ].filter(Boolean);
  return (
    <article aria-label={words.rank(rank)} className="rounded-3 border border-line bg-surface px-3.5 pt-2.5 pb-3">
      <div className="flex items-center gap-2.5">
        <span
          aria-hidden
          className="num grid size-5 flex-none place-items-center rounded-2 bg-accent-soft text-caption font-semibold text-accent"
        >
          {rank}
        </span>
        <Link
          to="/w/$w/knowledge/$id/documents"
          params={{ w, id: base.id }}
          search={{ doc: citation.document_id, passage: citation.chunk_id }}
          aria-label={words.open(document_source.name)}
          className="min-w-0 flex-1 truncate text-dense font-medium text-text hover:text-accent"
        >
          {citation.title || document_source.name}
        </Link>
        <span className="num flex-none text-caption text-text-3 first-letter:uppercase">{place.join(' · ')}</span>
      </div>
      {near?.before && <Neighbour text={near.before.content} />}
      <p dir="auto" className="my-2 border-l-2 border-accent pl-2.5 text-label wrap-anywhere whitespace-pre-line">
        <Marked text={content} marks={explain?.marks ?? []} />
      </p>
      {near?.after && <Neighbour text={near.after.content} />}
      {!hasNeighbours && (
        <Button size="small" look="ghost" className="mb-1.5 -ml-2.5" onClick={() => setNeighbours(true)}>
          {words.showNeighbours}
        </Button>
      )}
      {explain?.dropped_by && <p className="mb-1.5 text-caption text-warn">{words.droppedBy[explain.dropped_by]}</p>}
      <HitBars bars={bars} />
    </article>
  );
}

const Neighbour = ({ text }: { text: string }) => (
  <p dir="auto" className="my-1.5 line-clamp-2 pl-3 text-caption text-text-3">
    {text}
  </p>
);
