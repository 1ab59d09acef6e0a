import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { type Web, WebRefused, type WebRequest } from '../web/driver.ts';
import { SearchFailed, type SearchHit } from './driver.ts';

const limits = { max_bytes: 4 * 1024 * 1024, timeout_ms: 15_000 };

/** Requests JSON from a service. */
export async function askJson(web: Web, name: string, url: string, request: WebRequest): Promise<unknown> {
  try {
    const answer = await web.fetch(url, { ...limits, ...request });
    if (answer.status !== 200) {
      answer.body.destroy();
      throw new SearchFailed(`${name} answered with the status ${answer.status}`);
    }
    return JSON.parse(await text(answer.body)) as unknown;
  } catch (error) {
    if (request.signal?.aborted || error instanceof SearchFailed) throw error;
    if (error instanceof WebRefused) throw new SearchFailed(`${name} could not be asked: ${error.message}`);
    throw new SearchFailed(`${name} answered something that can't be read`);
  }
}

const isWebAddress = (text: string) => /^https?:\/\//.test(text) && text.length <= 2000 && URL.canParse(text);

/** Removes the markup by which services highlight words. */
const plain = (value: unknown, most: number) =>
  (typeof value === 'string' ? value : '')
    .replaceAll(/<\/?[a-z][^<>]{0,50}>/gi, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, most);

/** The fields in which services give the picture of a page. */
const imageKeys = ['thumbnail', 'img_src', 'thumbnail_src', 'image'];

function imageIn(item: Record<string, unknown>): string | undefined {
  const given = imageKeys.map((key) => item[key]);
  const inside = given.map((value) => (typeof value === 'object' && value && 'src' in value ? value.src : value));
  return inside.find((value): value is string => typeof value === 'string' && isWebAddress(value));
}

const entry = z.looseObject({ url: z.string() });

/** The list of results in the answer of a service; undefined when there is none. */
export const resultsIn = (answer: unknown) => z.object({ results: z.unknown() }).safeParse(answer).data?.results;

/** Reads the hits from the fields of a service; an entry without a web address is skipped. */
export function hitsIn(list: unknown, snippetKey: string, count: number): SearchHit[] {
  if (!Array.isArray(list)) return [];
  return list
    .flatMap((given: unknown) => {
      const item = entry.safeParse(given).data;
      if (!item || !isWebAddress(item.url)) return [];
      const { url } = item;
      const image = imageIn(item);
      const hit = { title: plain(item['title'], 300) || url, url, snippet: plain(item[snippetKey], 1000) };
      return [{ ...hit, ...(image && { image }) }];
    })
    .slice(0, count);
}
