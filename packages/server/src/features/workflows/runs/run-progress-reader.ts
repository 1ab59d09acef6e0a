import { LruCache } from '../../../lib/lru-cache.ts';
import type { GraphCache } from '../definition/graph-cache.ts';
import type { Journal } from './journal.ts';
import { makeProgressTracker, type ProgressTracker } from './progress-tracker.ts';
import type { RunRow } from './run-store.ts';

/** How many runs keep their progress in memory between requests. */
const mostKept = 100;

interface Kept {
  progress: ProgressTracker;
  /** The number of the last event that was added. */
  seen: number;
}

/**
 * Reads the progress of runs that are not over from their journals. A client that polls a long run costs only the
 * events since its last request, not the whole journal each time.
 */
export function makeRunProgressReader({ graphs, journal }: { graphs: GraphCache; journal: Pick<Journal, 'all'> }) {
  const kept = new LruCache<string, Promise<Kept>>({ max: mostKept });

  async function begin({ group_id, graph_id }: RunRow): Promise<Kept> {
    return { progress: makeProgressTracker(await graphs(group_id, graph_id)), seen: 0 };
  }

  async function addNewEvents(row: RunRow, known: Promise<Kept>): Promise<Kept> {
    const { progress, seen } = await known;
    if (seen >= row.last_seq) return { progress, seen };
    const batches = await journal.all(row.group_id, row.id, seen);
    for (const { events } of batches) for (const event of events) progress.add(event);
    const last = batches.at(-1);
    return { progress, seen: last ? last.first_seq + last.events.length - 1 : seen };
  }

  return async (row: RunRow) => {
    // Requests for one run are chained, so that each event is counted once.
    const next = addNewEvents(row, kept.get(row.id) ?? begin(row));
    if (row.finished_at === null) kept.set(row.id, next);
    else kept.delete(row.id);
    // The caller gets the error; the next request begins anew.
    next.catch(() => kept.delete(row.id));
    const { progress } = await next;
    return { progress: progress.percent(), progress_details: progress.details() };
  };
}
