import {
  IndexMissing,
  type IndexName,
  type IndexRow,
  type RetrievalIndex,
} from '../../../drivers/search-index/driver.ts';

/** Pictures have an index of their own, because another model makes their vectors, which have another length. */
export const pictureIndexName = (at: IndexName): IndexName => ({ ...at, name: `${at.name}-pictures` });

export async function addPictures(index: RetrievalIndex, at: IndexName, rows: readonly IndexRow[]): Promise<void> {
  const dimension = rows.find(({ vector }) => vector)?.vector?.length;
  if (dimension === undefined) return;
  const pictures = pictureIndexName(at);
  try {
    await index.add(pictures, rows);
  } catch (error) {
    if (!(error instanceof IndexMissing)) throw error;
    await index.create(pictures, { language: null, dimension });
    await index.add(pictures, rows);
  }
}

/** Does the same with both indexes; most knowledge bases have no picture index. */
export async function forTextAndPictureIndex(at: IndexName, work: (at: IndexName) => Promise<void>): Promise<void> {
  await work(at);
  await work(pictureIndexName(at)).catch((error: unknown) => {
    if (!(error instanceof IndexMissing)) throw error;
  });
}
