import { type Paged, summaryFieldsOf } from '@atrium/contract/page.ts';
import { jsonText, type RawAnswer } from '../lib/responses/raw-answer.ts';
import { splicePage } from '../lib/responses/splice-json.ts';
import type { Route } from '../lib/route.ts';
import { cutToBytes } from '../lib/text/cut-to-bytes.ts';
import type { AnyInput } from './validate.ts';

/** A summary has fewer bytes than this. */
const maxBytes = 600;
/** The most bytes of each text in a summary; the next one is tried when the summary is still too long. */
const textLimits = [160, 80, 40, 20];

/** Ids, times and words of a fixed set are longer than the last limits and must stay whole. */
const isFixed = (text: string) => text.length <= 36 && /^[\w:.-]+$/.test(text);

function shorten(name: string, value: unknown, most: number): unknown {
  if (typeof value === 'string') {
    if (isFixed(value)) return value;
    const short = cutToBytes(value, most);
    // Part of an address shows no picture.
    return name === 'image_url' && short !== value ? null : short;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shorten(key, inner, most)]));
}

/** The summary of an item as JSON, with its texts as long as there is room for them. */
export function summaryText(item: object, fields: readonly string[]): string {
  let text = '';
  for (const most of textLimits) {
    const summary: Record<string, unknown> = {};
    for (const field of fields) {
      const value: unknown = (item as Record<string, unknown>)[field];
      if (value !== undefined) summary[field] = shorten(field, value, most);
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
