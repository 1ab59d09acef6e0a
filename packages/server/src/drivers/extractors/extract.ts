import { detectLanguage } from './detect-language.ts';
import { type Extract, type Extractor, NotExtractable } from './driver.ts';
import { binaryTypes, typeOf } from './file-types.ts';
import { htmlExtractor } from './html/html.ts';
import type { IsolationLimits } from './isolated/pool.ts';
import { csvExtractor, tsvExtractor } from './text/csv.ts';
import { jsonExtractor, jsonLinesExtractor } from './text/json.ts';
import { markdownExtractor } from './text/markdown.ts';
import { plainExtractor } from './text/plain.ts';
import { xmlExtractor } from './text/xml.ts';

const text: readonly Extractor[] = [
  ...[plainExtractor, markdownExtractor, htmlExtractor, xmlExtractor],
  ...[csvExtractor, tsvExtractor, jsonExtractor, jsonLinesExtractor],
];

/** One extractor made of those for text and others; of two that take the same type the later one does. */
export function dispatchByType(others: readonly Extractor[]): Extract {
  const extractors = new Map([...text, ...others].flatMap((one) => one.types.map((type) => [type, one] as const)));
  const find = (type: string) => extractors.get(type) ?? extractors.get(type.replace(/\/.*$/, '/*'));

  const extract: Extractor['extract'] = async (content, options) => {
    const type = typeOf(options);
    const extractor = find(type);
    if (!extractor)
      throw new NotExtractable('unsupported_type', `there is no way yet to read text from ${type || 'such a file'}`);
    options.signal.throwIfAborted();
    const extracted = await extractor.extract(content, { ...options, content_type: type });
    return options.detect_language ? { ...extracted, language: await detectLanguage(extracted.text) } : extracted;
  };
  return Object.assign(extract, { takes: (file: Parameters<Extract['takes']>[0]) => find(typeOf(file)) !== undefined });
}

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
