import { dispatchByType } from './dispatch-by-type.ts';
import type { Extract, Extractor } from './driver.ts';
import { binaryTypes } from './file-types.ts';
import type { IsolationLimits } from './isolated/pool.ts';

/**
 * Reads every kind of file there is a reader for. Text is read here; formats of many parts in processes that can be ended
 * when they take too long or too much. None of those runs before there is such a file.
 */
export function makeExtract(more: readonly Extractor[] = [], limits: Partial<IsolationLimits> = {}): Extract {
  const load = async () => (await import('./isolated/pool.ts')).makePool(limits);
  let pool: ReturnType<typeof load> | undefined;
  const isolated: Extractor = {
    types: Object.values(binaryTypes).flat(),
    async extract(content, options) {
      pool ??= load();
      return (await pool).extract(content, options);
    },
  };
  return dispatchByType([isolated, ...more]);
}
