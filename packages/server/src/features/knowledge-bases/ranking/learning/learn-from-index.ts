import type { Database } from '../../../../db/database.ts';
import type { IndexName, RetrievalIndex } from '../../../../drivers/search-index/driver.ts';
import { errorFields, type Log } from '../../../../lib/log.ts';
import { decodeModel } from '../search-model.ts';
import { findStems } from '../stem-store.ts';
import { addChangedPassages, countChangedPassages } from './changed-passages-store.ts';
import type { SplitPassages } from './learn-search-model.ts';
import type { LearnTask } from './learn-worker.ts';

/** So many passages are read at most; of more, an even sample. */
const mostSampled = 20_000;
/** A model is learned anew when its knowledge base has changed in size by this share, or so many of its passages have. */
const changedShare = 0.25;

const worker = new URL('./learn-worker.ts', import.meta.url);
const limits = { timeout_ms: 300_000, memory_mb: 1500 };

/** Runs a module in a thread of its own, which ends with its one message. */
type RunInWorker = <T>(
  file: URL,
  data: unknown,
  limits: { timeout_ms: number; memory_mb: number; signal: AbortSignal },
) => Promise<T>;

export type LearnFromIndex = (
  at: IndexName,
  language: string | null,
  log: Log | undefined,
  signal: AbortSignal,
  /** `anew`: the model that is there has words of deleted documents, so it does not fit. */
  how?: { anew: boolean },
) => Promise<void>;

/**
 * Learns the search model of the index for everybody, unless the one that is there still fits. A search without a model
 * goes by the scores of the index, so a failure is only logged.
 */
export function makeLearnFromIndex({
  db,
  index,
  runInWorker,
}: {
  db: Database;
  index: RetrievalIndex;
  runInWorker: RunInWorker;
}): LearnFromIndex {
  async function learn(at: IndexName, language: string | null, signal: AbortSignal, anew: boolean): Promise<void> {
    const stored = await index.readModel(at);
    const before = stored && stored !== 'unchanged' ? decodeModel(stored.bytes) : undefined;
    const { rows } = await index.state(at);
    const changed = await countChangedPassages(db, at);
    const enough = Math.max(1, (before?.rows ?? 0) * changedShare);
    if (!anew && before && changed < enough && Math.abs(rows - before.rows) < enough) return;
    if (rows === 0) return anew ? index.writeModel(at, null) : undefined;
    const passages = await index.samplePassages(at, mostSampled);
    const task: LearnTask = { step: 'split', passages };
    const split = await runInWorker<SplitPassages>(worker, task, { ...limits, signal });
    const stems = await findStems(db, split.words, language);
    const next: LearnTask = { step: 'learn', split, stems, rows };
    await index.writeModel(at, await runInWorker<Uint8Array>(worker, next, { ...limits, signal }));
    // Those that have changed in the meantime count for the next time.
    await addChangedPassages(db, at, -changed);
  }

  return async (at, language, log, signal, { anew } = { anew: false }) => {
    try {
      await learn(at, language, signal, anew);
    } catch (error) {
      signal.throwIfAborted();
      if (anew) await index.writeModel(at, null);
      log?.warn('knowledge.learning-failed', { knowledge_base_id: at.kb_id, ...errorFields(error) });
    }
  };
}
