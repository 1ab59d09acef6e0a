import { dispatch } from './dispatch.ts';
import type { Extract, Extractor } from './driver.ts';
import { binaryTypes } from './file-kinds.ts';
import { type IsolationLimits, makePool } from './isolated/pool.ts';

/**
 * Reads every kind of file there is a reader for. Text is read here; formats of many parts in processes that can be ended
 * when they take too long or too much. None of those runs before there is such a file.
 */
export function makeExtract(more: readonly Extractor[] = [], limits: Partial<IsolationLimits> = {}): Extract {
  const isolated: Extractor = { types: Object.values(binaryTypes).flat(), extract: makePool(limits).extract };
  return dispatch([isolated, ...more]);
}
