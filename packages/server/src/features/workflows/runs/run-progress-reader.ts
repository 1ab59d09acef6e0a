import { LruCache } from '../../../lib/lru-cache.ts';
import type { Graphs } from '../definition/graph-cache.ts';
import type { Journal } from './journal.ts';
import { makeProgressTracker } from './progress-tracker.ts';
import type { RunRow } from './run-store.ts';

/** How many runs are remembered that somebody has looked at. */
const mostKept = 100;

interface Kept {
  progress: ReturnType<typeof makeProgressTracker>;
  /** The last event that it has heard of. */
  seen: number;
}

/**
 * How far runs have come that are not over, by their journals. Whoever looks at a long one again and again is told by
 * what has come since the last look, not by all of it once more.
 */
export function makeRunProgressReader({ graphs, journal }: { graphs: Graphs; journal: Pick<Journal, 'all'> }) {
  const kept = new LruCache<string, Promise<Kept>>({ max: mostKept });

  async function begin({ group_id, graph_id }: RunRow): Promise<Kept> {
    return { progress: makeProgressTracker(await graphs(group_id, graph_id)), seen: 0 };
  }

  async function goOn(row: RunRow, known: Promise<Kept>): Promise<Kept> {
    const { progress, seen } = await known;
    if (seen >= row.last_seq) return { progress, seen };
    const batches = await journal.all(row.group_id, row.id, seen);
    for (const { events } of batches) for (const event of events) progress.add(event);
    const last = batches.at(-1);
    return { progress, seen: last ? last.first_seq + last.events.length - 1 : seen };
  }

  return async (row: RunRow) => {
    // One look after the other: an event is counted once.
    const next = goOn(row, kept.get(row.id) ?? begin(row));
    if (row.finished_at === null) kept.set(row.id, next);
    else kept.delete(row.id);
    next.catch(() => kept.delete(row.id));
    const { progress } = await next;
    return { progress: progress.percent(), progress_details: progress.details() };
  };
}
