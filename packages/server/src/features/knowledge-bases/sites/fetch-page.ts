import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Extract, PageReader } from '../../../drivers/extractors/driver.ts';
import { NotExtractable } from '../../../drivers/extractors/driver.ts';
import { explainRefusal, type Web, WebRefused } from '../../../drivers/web/driver.ts';
import { pageAddress } from './page-address.ts';

/** Larger pages are not read. */
const mostBytes = 10 * 1024 * 1024;
const timeout_ms = 30_000;
const longestRetryMs = 60_000;

export interface Fetched {
  url: string;
  bytes: Buffer;
  content_type: string;
  filename: string;
  etag: string | null;
  title: string | null;
  hash: string;
  index: boolean;
  links: string[];
}

export type Outcome =
  | { kind: 'page'; page: Fetched }
  | { kind: 'moved'; to: string | undefined }
  | { kind: 'same' }
  | { kind: 'gone'; reason: string }
  | { kind: 'later'; after_ms: number }
  | { kind: 'skipped' | 'failed'; reason: string };

const isHtml = (type: string) => /^(?:text\/html|application\/xhtml\+xml)\b/i.test(type);

function filenameOf(url: string, html: boolean): string {
  let name = 'page';
  try {
    name = decodeURIComponent(new URL(url).pathname.split('/').findLast(Boolean) ?? 'page');
  } catch {
    // The path has a % that encodes nothing: the default name is used.
  }
  return html && !/\.x?html?$/i.test(name) ? `${name}.html` : name;
}

/** The links of a page as absolute addresses. */
export const linksFrom = (links: readonly string[], base: string | null, url: string): string[] => {
  const from = (base && URL.parse(base, url)?.href) || url;
  return links.flatMap((link) => pageAddress(link, from) ?? []);
};

function retryDelay(after: string | undefined): number {
  const seconds = Number(after);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(after ?? '') - Date.now();
  return Math.min(longestRetryMs, Math.max(1000, wait || 5000));
}

export type FetchPage = (url: string, etag: string | null, signal: AbortSignal) => Promise<Outcome>;

/** Fetches one page, without retries. With an ETag, an unchanged page is not sent again. */
export function makeFetchPage(deps: { web: Web; takes: Extract['takes']; readPage: PageReader }): FetchPage {
  return async (url, etag, signal) => {
    try {
      const headers = {
        accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
        ...(etag !== null && { 'if-none-match': etag }),
      };
      const answer = await deps.web.fetch(url, { headers, max_bytes: mostBytes, timeout_ms, signal });
      const unread = <T>(outcome: T): T => {
        answer.body.destroy();
        return outcome;
      };
      const { status } = answer;
      const at = pageAddress(answer.url);
      if (at !== url) return unread({ kind: 'moved', to: at });
      if (status === 304) return unread({ kind: 'same' });
      if (status === 404 || status === 410) return unread({ kind: 'gone', reason: `It answered ${status}` });
      if (status === 429 || status === 503)
        return unread({ kind: 'later', after_ms: retryDelay(answer.headers['retry-after']) });
      if (status >= 300 || status < 200) return unread({ kind: 'failed', reason: `It answered ${status}` });
      const content_type = answer.headers['content-type'] ?? '';
      const html = isHtml(content_type);
      const filename = filenameOf(url, html);
      if (content_type.startsWith('image/') || !deps.takes({ content_type, filename }))
        return unread({ kind: 'skipped', reason: 'There is no text to be had from such a file' });
      const bytes = await buffer(answer.body);
      const robotsTag = answer.headers['x-robots-tag'] ?? '';
      const common = { url, bytes, content_type, filename, etag: answer.headers['etag'] ?? null };
      const mayIndex = !/\b(?:noindex|none)\b/i.test(robotsTag);
      if (!html) {
        const hash = createHash('sha256').update(bytes).digest('hex');
        return { kind: 'page', page: { ...common, title: null, hash, index: mayIndex, links: [] } };
      }
      const page = await deps.readPage(Readable.from([bytes]), signal);
      const follow = !/\b(?:nofollow|none)\b/i.test(robotsTag);
      const links = follow ? linksFrom(page.links, page.base, url) : [];
      return {
        kind: 'page',
        page: { ...common, title: page.title, hash: page.hash, index: page.index && mayIndex, links },
      };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof WebRefused)
        return { kind: 'failed', reason: `It could not be fetched: ${explainRefusal(error, 'members')}` };
      if (error instanceof NotExtractable) return { kind: 'failed', reason: `It could not be read: ${error.message}` };
      throw error;
    }
  };
}
