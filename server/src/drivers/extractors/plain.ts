import type { Extractor } from './driver.ts';
import { bytesFor, cutWarning, fitted, readText } from './read-text.ts';

/** Text that is read as it is written: prose, programs, logs, Markdown. */
export const plainExtractor: Extractor = {
  types: [
    'text/*',
    'application/xml',
    'application/yaml',
    'application/x-ndjson',
    'application/x-subrip',
    'image/svg+xml',
    'message/rfc822',
  ],
  async extract(content, { max_chars, signal }) {
    const { text, cut } = await readText(content, { max_bytes: bytesFor(max_chars), signal });
    const shown = fitted(text, max_chars);
    return { text: shown, warnings: cut || shown !== text ? [cutWarning(max_chars)] : [] };
  },
};
