import { newId } from '../../../lib/ids.ts';
import type { NewChunk } from '../ingest/training-store.ts';

/** What people have changed of a passage, as it is stored. */
export interface PassageByHand {
  enabled: boolean;
  original: string | null;
  added: boolean;
  version: number;
  changed_by: string | null;
  changed_at: string | null;
}

export interface ChangedPassage extends PassageByHand {
  position: number;
  content: string;
  start: number;
  end: number;
  page: number | null;
  end_page: number | null;
  headings: string[];
  seen_by: string | null;
}

const byHandOf = ({ enabled, original, added, version, changed_by, changed_at }: ChangedPassage): PassageByHand => ({
  ...{ enabled, original, added, version, changed_by, changed_at },
});

/**
 * Takes the changes of people along into a new training: of a passage whose text is read again, the nearest to its old
 * place. Added passages come last. `lost`: changes whose text is gone.
 */
export function carryChanges(
  made: readonly NewChunk[],
  changes: readonly ChangedPassage[],
): { chunks: NewChunk[]; lost: number } {
  const chunks = made.map((chunk) => ({ ...chunk }));
  const waiting = Map.groupBy(chunks, ({ content }) => content);
  let lost = 0;
  for (const change of changes.filter(({ added }) => !added)) {
    const same = (waiting.get(change.original ?? change.content) ?? []).filter((chunk) => !chunk.by_hand);
    const [nearest] = same.toSorted(
      (a, b) => Math.abs(a.position - change.position) - Math.abs(b.position - change.position),
    );
    if (!nearest) lost++;
    else Object.assign(nearest, { content: change.content, by_hand: byHandOf(change) });
  }
  const added = changes.filter((change) => change.added);
  const last = chunks.at(-1);
  return {
    lost,
    chunks: [
      ...chunks,
      ...added.map(
        ({ content, start, end, page, end_page, headings, ...change }, at): NewChunk => ({
          ...{ content, start, end, page, end_page, headings },
          ...{ id: newId(), position: (last?.position ?? -1) + 1 + at, context: '', questions: [], embedding: null },
          by_hand: byHandOf({ content, start, end, page, end_page, headings, ...change }),
        }),
      ),
    ],
  };
}
