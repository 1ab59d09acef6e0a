import { LruCache } from '../../lib/lru-cache.ts';
export interface Told {
  said: string;
  /** How much of it is the file's own text. */
  used: number;
}

/**
 * What models were told of files lately. A file never changes, and is told again with each message of its conversation:
 * reading a long PDF or the text in an image every time would take longer than the answer.
 */
export function makeFileTextCache(max_chars = 4_000_000) {
  return new LruCache<string, Told>({ max: max_chars, weigh: ({ said }) => said.length });
}
