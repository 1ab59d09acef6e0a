import {
  IndexMissing,
  type IndexName,
  type IndexRow,
  type RetrievalIndex,
} from '../../../drivers/search-index/driver.ts';

/** Vectors of pictures are of another length, by another model: they have an index of their own beside that of the texts. */
export const picturesOf = (at: IndexName): IndexName => ({ ...at, name: `${at.name}-pictures` });

export async function addPictures(index: RetrievalIndex, at: IndexName, rows: readonly IndexRow[]): Promise<void> {
  const dimension = rows.find(({ vector }) => vector)?.vector?.length;
  if (dimension === undefined) return;
  const own = picturesOf(at);
  try {
    await index.add(own, rows);
  } catch (error) {
    if (!(error instanceof IndexMissing)) throw error;
    await index.create(own, { language: null, dimension });
    await index.add(own, rows);
  }
}

/** The same with both; most bases have no pictures. */
export async function forTextAndPictureIndex(at: IndexName, work: (at: IndexName) => Promise<void>): Promise<void> {
  await work(at);
  await work(picturesOf(at)).catch((error: unknown) => {
    if (!(error instanceof IndexMissing)) throw error;
  });
}
