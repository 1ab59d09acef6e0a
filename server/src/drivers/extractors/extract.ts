import { type Extract, type Extractor, NotExtractable } from './driver.ts';
import { htmlExtractor } from './html.ts';
import { jsonExtractor } from './json.ts';
import { plainExtractor } from './plain.ts';
import { csvExtractor, tsvExtractor } from './rows.ts';

const builtIn: readonly Extractor[] = [plainExtractor, htmlExtractor, csvExtractor, tsvExtractor, jsonExtractor];

/** What a name says where the bytes do not: text in an old encoding looks like no text at first. */
const byName: Record<string, string> = {
  txt: 'text/plain',
  text: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  html: 'text/html',
  htm: 'text/html',
  xhtml: 'application/xhtml+xml',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

function typeOf({ content_type, filename }: { content_type: string; filename: string }): string {
  const type = content_type.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (type !== '' && type !== 'application/octet-stream') return type;
  return byName[/\.([^.]+)$/.exec(filename)?.[1]?.toLowerCase() ?? ''] ?? type;
}

/** One extractor made of several; of two that take the same type the later one does. */
export function makeExtract(more: readonly Extractor[] = []): Extract {
  const extractors = new Map([...builtIn, ...more].flatMap((one) => one.types.map((type) => [type, one] as const)));
  const find = (type: string) => extractors.get(type) ?? extractors.get(type.replace(/\/.*$/, '/*'));

  const extract: Extractor['extract'] = async (content, options) => {
    const type = typeOf(options);
    const extractor = find(type);
    if (!extractor)
      throw new NotExtractable('unsupported_type', `there is no way yet to read text from ${type || 'such a file'}`);
    options.signal.throwIfAborted();
    return extractor.extract(content, { ...options, content_type: type });
  };
  return Object.assign(extract, { takes: (file: Parameters<Extract['takes']>[0]) => find(typeOf(file)) !== undefined });
}
