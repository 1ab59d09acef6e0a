import { LruCache } from '../../lib/lru-cache.ts';

/** The text that a model gets for a file. */
export interface FileText {
  text: string;
  /** How many characters are the file's own text. */
  used: number;
}

/**
 * Caches the texts of files. A file never changes and is sent again with each message of its conversation; extracting a long
 * PDF every time would take longer than the answer.
 */
export function makeFileTextCache(max_chars = 4_000_000) {
  return new LruCache<string, FileText>({ max: max_chars, weigh: ({ text }) => text.length });
}
