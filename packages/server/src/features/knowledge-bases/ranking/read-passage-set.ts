import type { IndexName, RetrievalIndex } from '../../../drivers/search-index/driver.ts';
import { LruCache } from '../../../lib/lru-cache.ts';
import { makePassageSet, type PassageSet } from './passage-set.ts';
import type { SearchModel } from './search-model.ts';

/** Larger indexes are left to the engine, and so many bytes of small ones stay in memory. */
const [mostPassages, mostBytes, bytesOfEntry] = [2000, 64_000_000, 1000];

interface Entry {
  version: string;
  model: SearchModel;
  /** Undefined: the index has too many passages. */
  set: Promise<PassageSet | undefined>;
  bytes: number;
}

/** Reads all passages of a small index; those of one that has not changed are read once. Undefined for a larger index. */
export function makeReadPassageSet(index: Pick<RetrievalIndex, 'versionOf' | 'readPassages'>) {
  const known = new LruCache<string, Entry>({ max: mostBytes, weigh: ({ bytes }) => bytes });

  return async (at: IndexName, model: SearchModel): Promise<PassageSet | undefined> => {
    const key = `${at.workspace_id}/${at.kb_id}/${at.name}`;
    const version = await index.versionOf(at);
    const before = known.get(key);
    const isSame = before?.model === model;
    if (isSame && before.version === version) return before.set;
    const read = async () => {
      const earlier = isSame ? await before.set.catch(() => undefined) : undefined;
      const rows = await index.readPassages(at, mostPassages);
      return rows && makePassageSet(model, rows, earlier);
    };
    // Searches that come in the meantime wait for the same set.
    const entry: Entry = { version, model, set: read(), bytes: bytesOfEntry };
    known.set(key, entry);
    try {
      const set = await entry.set;
      if (known.get(key) === entry) known.set(key, { ...entry, bytes: bytesOfEntry + (set?.bytes ?? 0) });
      return set;
    } catch (error) {
      if (known.get(key) === entry) known.delete(key);
      throw error;
    }
  };
}
