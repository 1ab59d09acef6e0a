import type { IndexHit } from './driver.ts';

/** Best first. Hits of equal score are ordered by id: the order in which an index stores rows tells of rows that are hidden. */
export const byScore = (a: IndexHit, b: IndexHit) => b.score - a.score || (a.id < b.id ? -1 : 1);
