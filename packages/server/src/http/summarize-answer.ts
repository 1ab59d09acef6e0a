import { type Paged, summaryFieldsOf } from '@atrium/contract/page.ts';
import { jsonText, type RawAnswer } from '../lib/responses/raw-answer.ts';
import { splicePage } from '../lib/responses/splice-json.ts';
import type { Route } from '../lib/route.ts';
import { cutToBytes } from '../lib/text/cut-to-bytes.ts';
import type { AnyInput } from './validate.ts';

/** A summary has fewer bytes than this. */
const maxBytes = 600;
/** The most bytes of a text and entries of a list in a summary; the next are tried when the summary is still too long. */
const limits = [
  { bytes: 160, entries: 3 },
  { bytes: 80, entries: 3 },
  { bytes: 40, entries: 2 },
  { bytes: 20, entries: 1 },
  { bytes: 12, entries: 1 },
] as const;
type Limit = (typeof limits)[number];

/** Ids, times and words of a fixed set are longer than the last limits and must stay whole. */
const isFixed = (text: string) => text.length <= 36 && /^[\w:.-]+$/.test(text);

function shorten(name: string, value: unknown, limit: Limit): unknown {
  if (typeof value === 'string') {
    if (isFixed(value)) return value;
    const short = cutToBytes(value, limit.bytes);
    // Part of an address shows no picture.
    return name === 'image_url' && short !== value ? null : short;
  }
  if (Array.isArray(value)) return value.slice(0, limit.entries).map((inner) => shorten(name, inner, limit));
  if (typeof value !== 'object' || value === null) return value;
  const short: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) short[key] = shorten(key, inner, limit);
  return short;
}

/** The summary of an item as JSON, with its texts as long as there is room for them. */
export function summaryText(item: object, fields: readonly string[]): string {
  let text = '';
  for (const limit of limits) {
    const summary: Record<string, unknown> = {};
    for (const field of fields) {
      const value: unknown = (item as Record<string, unknown>)[field];
      if (value !== undefined) summary[field] = shorten(field, value, limit);
    }
    text = JSON.stringify(summary);
    if (Buffer.byteLength(text) < maxBytes) break;
  }
  return text;
}

/** Makes the answer to `view=summary` of the handler's rows; undefined for requests that do not ask for summaries. */
export function makeSummarizer({ answer }: Route): (result: unknown, input: AnyInput) => RawAnswer | undefined {
  const fields = summaryFieldsOf(answer);
  if (!fields) return () => undefined;
  return (result, { query }) => {
    if ((query as { view?: unknown } | undefined)?.view !== 'summary') return undefined;
    if (Array.isArray(result)) return jsonText(`[${result.map((item) => summaryText(item, fields)).join(',')}]`);
    const page = result as Paged<object>;
    return jsonText(splicePage({ ...page, items: page.items.map((item) => summaryText(item, fields)) }));
  };
}
