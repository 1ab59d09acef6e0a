import {
  IndexMissing,
  type IndexName,
  type IndexRow,
  type IndexSpec,
  type RetrievalIndex,
} from '../../../drivers/search-index/driver.ts';
import { forTextAndPictureIndex } from './picture-index.ts';

/**
 * Documents that not everybody sees have an index for each set of rights. So neither hits nor the scores of a reader, in
 * which it counts how common words are, depend on documents that the reader must not see.
 */
export const rightsIndexName = (at: IndexName, rights_id: number | null): IndexName =>
  rights_id === null ? at : { ...at, name: `${at.name}-r${rights_id}` };

/** Undefined when the index of a set of rights does not exist: then no document with these rights was indexed. */
export async function ignoreMissing<T>(rights_id: number | null, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (rights_id === null || !(error instanceof IndexMissing)) throw error;
    return undefined;
  }
}

/** Does the same with every index, of texts and of pictures, that holds passages of these documents. */
export async function forIndexesOf<D extends { index_rights_id: number | null }>(
  at: IndexName,
  documents: readonly D[],
  work: (at: IndexName, own: readonly D[]) => Promise<void>,
): Promise<void> {
  for (const [rights_id, own] of Map.groupBy(documents, ({ index_rights_id }) => index_rights_id)) {
    const done = forTextAndPictureIndex(rightsIndexName(at, rights_id), (name) => work(name, own));
    await ignoreMissing(rights_id, done);
  }
}

/** Adds rows to the index of a set of rights, which is created for the first of them. */
export async function addToRightsIndex(
  index: RetrievalIndex,
  at: IndexName,
  rights_id: number | null,
  rows: readonly IndexRow[],
  findSpec: (rights_id: number) => Promise<IndexSpec>,
): Promise<void> {
  const name = rightsIndexName(at, rights_id);
  if (rights_id === null) return index.add(name, rows);
  try {
    await index.add(name, rows);
  } catch (error) {
    if (!(error instanceof IndexMissing)) throw error;
    await index.create(name, await findSpec(rights_id));
    await index.add(name, rows);
  }
}
