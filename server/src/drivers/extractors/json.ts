import type { Extractor } from './driver.ts';
import { bytesFor, cutWarning, fitted, readText } from './read-text.ts';

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON as it was written: read and written again, its large numbers would be others. */
export const jsonExtractor: Extractor = {
  types: ['application/json'],
  async extract(content, { max_chars, signal }) {
    const { text, cut } = await readText(content, { max_bytes: bytesFor(max_chars), signal });
    if (cut || text.length > max_chars) return { text: fitted(text, max_chars), warnings: [cutWarning(max_chars)] };
    return { text, warnings: isJson(text) ? [] : ['It is not valid JSON.'] };
  },
};
