import type { ToolResultContent } from '../driver.ts';

/** A piece of text that can be quoted, and where it is from. */
export interface Passage {
  text: string;
  title: string;
  url: string | null;
  /** The heading that it stands under, and the name of its knowledge base. */
  heading?: string | undefined;
  /** A row of a table: its cells and the names of their columns. */
  row?: { columns: string[]; cells: string[] } | undefined;
  /** How likely it is about the question, up to 1; search results have 1. */
  weight: number;
}

const textKeys = [
  'content',
  'text',
  'snippet',
  'quote',
  'passage',
  'chunk',
  'excerpt',
  'answer',
  'summary',
  'body',
  'markdown',
  'memory',
  'definition',
  'output',
  'stdout',
  'description',
  'value',
];
const titleKeys = [
  'title',
  'document_name',
  'document_title',
  'filename',
  'file_name',
  'name',
  'source',
  'document',
  'heading',
  'term',
  'path',
  'table',
  'url',
];
const [mostPassages, deepest] = [400, 12];

type Fields = Record<string, unknown>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isPlain = (value: unknown) =>
  typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string';
const firstText = (fields: Fields, keys: readonly string[]) =>
  keys.map((key) => fields[key]).find((value) => typeof value === 'string' && value.trim() !== '') as
    | string
    | undefined;

/** A title may stand in an object of its own: `source: {title}`. */
function titleIn(fields: Fields): string | undefined {
  for (const key of titleKeys) {
    const value = fields[key];
    if (typeof value === 'string' && value.trim()) return value.trim().slice(0, 200);
    if (isObject(value)) {
      const inner = firstText(value, titleKeys);
      if (inner) return inner.trim().slice(0, 200);
    }
  }
  return undefined;
}

function urlIn(fields: Fields): string | null {
  for (const holder of [fields, fields['source'], fields['document']])
    if (isObject(holder) && typeof holder['url'] === 'string' && /^https?:\/\/\S+$/i.test(holder['url']))
      return holder['url'];
  return null;
}

/** `source: {title, url}` names a text and holds none. */
const isOnlyTitle = (key: string, value: object) =>
  titleKeys.includes(key) && isObject(value) && firstText(value, textKeys) === undefined;

/** A row of a table as a line. Ids and scores say nothing to a reader. */
function readRow(fields: Fields): Pick<Passage, 'text' | 'row'> {
  const shown = Object.entries(fields).filter(
    ([key, value]) => isPlain(value) && value !== '' && !/(?:^|_)(?:id|etag|score|position|index)$/.test(key),
  );
  return {
    text: shown.map(([key, value]) => `${key}: ${value}`).join(', '),
    row: { columns: shown.map(([key]) => key), cells: shown.map(([, value]) => String(value)) },
  };
}

/** Reads the answer of a tool as passages: lists of results of any shape, rows, plain texts. */
function* walk(value: unknown, title: string, url: string | null, depth: number): Generator<Passage> {
  if (depth > deepest || value === null || value === undefined) return;
  if (isPlain(value)) yield { text: String(value), title, url, weight: 1 };
  else if (Array.isArray(value)) for (const one of value) yield* walk(one, title, url, depth + 1);
  else if (isObject(value)) {
    const inner = { title: titleIn(value) ?? title, url: urlIn(value) ?? url };
    const nested = Object.entries(value).flatMap(([key, one]) =>
      typeof one !== 'object' || one === null || isOnlyTitle(key, one) ? [] : [one],
    );
    const text = firstText(value, textKeys);
    // A search of tables shows each row as a text too.
    const row = value['row'];
    if (text !== undefined && isObject(row)) {
      yield { ...readRow(row), text, ...inner, weight: 1 };
      return;
    }
    const heading = [value['heading'], value['knowledge_base']].filter((one) => typeof one === 'string').join(' ');
    if (text !== undefined) yield { text, ...inner, ...(heading && { heading }), weight: 1 };
    else if (nested.length === 0 || Object.values(value).filter(isPlain).length > 2) {
      const own = readRow(value);
      if (own.text) yield { ...own, ...inner, title: nested.length ? inner.title : title, weight: 1 };
    }
    for (const one of nested) yield* walk(one, inner.title, inner.url, depth + 1);
  }
}

/** JSON that was cut off is read up to its last whole value. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    let [end, closing, inText] = [0, '', false];
    const open: string[] = [];
    for (let at = 0; at < text.length; at++) {
      const sign = text[at];
      if (inText) {
        if (sign === '\\') at++;
        else if (sign === '"') inText = false;
      } else if (sign === '"') inText = true;
      else if (sign === '{' || sign === '[') {
        if (open.push(sign === '{' ? '}' : ']') > 50) return undefined;
      } else if (sign === '}' || sign === ']') {
        if (open.pop() !== sign) return undefined;
        [end, closing] = [at + 1, open.toReversed().join('')];
        if (open.length === 0) break;
      }
    }
    try {
      return end > 0 ? JSON.parse(text.slice(0, end) + closing) : undefined;
    } catch {
      return undefined;
    }
  }
}

/** The title for an answer of a tool that names no source: `kb_handbook_search` is "kb handbook". */
export const toolTitle = (name: string) =>
  name.replace(/_(?:search|recall|query|read|get|list|run)$/, '').replaceAll('_', ' ');

export function passagesIn({
  name,
  output,
  is_error,
}: Pick<ToolResultContent, 'name' | 'output' | 'is_error'>): Passage[] {
  if (is_error) return [];
  const looksLikeJson = /^\s*[[{"]/.test(output);
  const value = looksLikeJson ? (readJson(output) ?? output) : output;
  const passages: Passage[] = [];
  for (const passage of walk(value, toolTitle(name), null, 0)) {
    if (passage.text.trim()) passages.push(passage);
    if (passages.length >= mostPassages) break;
  }
  return passages;
}
