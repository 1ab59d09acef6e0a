import type { IndexName, RetrievalIndex } from '../../../drivers/search-index/driver.ts';
import { LruCache } from '../../../lib/lru-cache.ts';
import { decodeModel, type SearchModel } from './search-model.ts';

/** So many models stay in memory, of up to some twenty megabytes each: searches keep their vectors and words a second time. */
const mostModels = 10;

export type ReadModel = (at: IndexName) => Promise<SearchModel | undefined>;

/** Reads the search model of an index; one that has not changed is read once. */
export function makeReadModel(index: RetrievalIndex): ReadModel {
  const known = new LruCache<string, { version: string; model: SearchModel | undefined }>({ max: mostModels });
  return async (at) => {
    const key = `${at.workspace_id}/${at.kb_id}/${at.name}`;
    const before = known.get(key);
    const stored = await index.readModel(at, before?.version);
    if (stored === 'unchanged') return before?.model;
    if (stored === undefined) return undefined;
    const model = decodeModel(stored.bytes);
    known.set(key, { version: stored.version, model });
    return model;
  };
}
