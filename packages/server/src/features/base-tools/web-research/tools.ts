import type { SourceImage } from '@atrium/contract/tools/tool-result.ts';
import { z } from 'zod';
import { requireAllowedHost, WebRefused } from '../../../drivers/web/driver.ts';
import { SearchFailed, type WebSearch } from '../../../drivers/web-search/driver.ts';
import { fieldsOf } from '../../../lib/json/fields-of.ts';
import { LruCache } from '../../../lib/lru-cache.ts';
import { isOutsider, type Scope } from '../../../lib/scope.ts';
import { cutBefore } from '../../../lib/text/cut-text.ts';
import type { Tool, ToolContext, ToolProvider } from '../../tools/ports.ts';
import { defineTool, ToolError } from '../../tools/service.ts';
import { enabledEntry } from '../enabled-entry.ts';
import { imageTypeOf } from './image-type.ts';
import { makeKnownAddresses } from './known-addresses.ts';
import type { KnownTexts } from './known-texts.ts';
import type { ReadPage, ReadPageAt } from './read-page.ts';

const pageChars = 20_000;
const mostHits = 10;
const keptPages = 8;

const url = z.string().min(4).max(4000).describe('A web address, as a search found it or the user gave it');
const found = z.object({
  results: z.array(z.object({ title: z.string(), url: z.string(), snippet: z.string() })),
});
const page = z.object({
  url: z.string(),
  title: z.string(),
  content: z.string(),
  next_offset: z.int().nullable(),
  total_chars: z.int(),
});

interface Needs {
  /** Undefined when the operator has configured none. */
  search: WebSearch | undefined;
  /** The address of that service. */
  search_url?: string | undefined;
  readPage: ReadPageAt;
  /** The texts of the conversation whose addresses can be read without sending anything out. */
  knownTexts(scope: Scope, context: ToolContext): Promise<KnownTexts>;
}

const withScheme = (address: string) => (/^https?:\/\//i.test(address) ? address : `https://${address}`);

const notConfigured =
  'No web search is configured: the operator sets ATRIUM_SEARXNG_URL, BRAVE_API_KEY or TAVILY_API_KEY';

function requireSearchHost(url: string, hosts: readonly string[]): void {
  try {
    requireAllowedHost(new URL(url), hosts);
  } catch (error) {
    throw error instanceof WebRefused
      ? new ToolError(`Nothing was searched: ${error.message}`, { begun: false })
      : error;
  }
}

const addressesIn = (output: string): string[] => {
  try {
    return found.parse(JSON.parse(output)).results.map((hit) => hit.url);
  } catch {
    return [];
  }
};

/** Searches the web with a service of the operator's choice, and reads pages. */
export const makeWebTools =
  ({ search, search_url, readPage, knownTexts }: Needs): ToolProvider =>
  async (own, settings, context): Promise<Tool[]> => {
    if (!enabledEntry(settings, 'web_research')) return [];
    const known = makeKnownAddresses();
    const before = await knownTexts(own, context);
    for (const text of before.said) known.addMessage(text);
    for (const address of before.found.flatMap(addressesIn)) known.add(address);
    const pictures = new Map<string, SourceImage>();
    const imagesOf = (address: string) => {
      const image = pictures.get(address);
      return image ? { images: [image] } : {};
    };
    const pages = new LruCache<string, ReadPage>({ max: keptPages });

    async function pageAt(address: string, signal: AbortSignal): Promise<ReadPage> {
      const there = pages.get(address) ?? (await readPage(address, signal, own, settings.allowed_hosts));
      pages.set(address, there);
      return there;
    }

    return [
      defineTool({
        tool: 'web_research_search',
        description: 'Searches the web.',
        input: z.object({ query: z.string().trim().min(1).max(1000), count: z.int().min(1).max(mostHits).optional() }),
        output: found,
        repeatable: true,
        brings: ['untrusted'],
        // A query can carry data of the conversation to another server.
        sends: true,
        ...(search_url && {
          reach: async () => ({ digest: search_url, recipients: [new URL(search_url).host], beneath: [] }),
        }),
        sources: (output) =>
          found.parse(output).results.map(({ title, url: address, snippet }) => ({
            url: address,
            title,
            quote: snippet || null,
            ...imagesOf(address),
          })),
        async run(_, { query, count = mostHits }, signal) {
          if (!search)
            // The model may repeat this to visitors.
            throw new ToolError(isOutsider(own) ? 'No web search is available' : notConfigured, { begun: false });
          if (search_url) requireSearchHost(search_url, settings.allowed_hosts);
          const results = await search.search(query, count, signal).catch((error: unknown) => {
            throw error instanceof SearchFailed ? new ToolError(error.message) : error;
          });
          for (const { url: address, image } of results) {
            known.add(address);
            if (image) pictures.set(address, { url: image, type: imageTypeOf(image) });
          }
          return { results };
        },
      }),
      defineTool({
        tool: 'web_research_read_page',
        description: `Reads a web page, ${pageChars} characters at a time.`,
        input: z.object({ url, offset: z.int().min(0).optional().describe('next_offset of the page before') }),
        output: page,
        repeatable: true,
        brings: ['untrusted'],
        sends: (input, taint) => {
          const address = String(fieldsOf(input)['url'] ?? '');
          // A page that was read in this run is not fetched again.
          if (pages.has(withScheme(address))) return false;
          const mayLeak = taint.has('private') && taint.has('untrusted');
          return !known.has(address) || (mayLeak && !known.isOnlyChoice(address));
        },
        recipient: (input) => URL.parse(withScheme(String(fieldsOf(input)['url'])))?.host || undefined,
        sources: (output) => {
          const { url: address, title, content } = page.parse(output);
          const quote = content.slice(0, cutBefore(content, 300)) || null;
          return [{ url: address, title, quote, ...imagesOf(address) }];
        },
        async run(_, { url: address, offset = 0 }, signal) {
          const read = await pageAt(withScheme(address), signal);
          if (read.image) pictures.set(read.url, read.image);
          const end = cutBefore(read.text, offset + pageChars);
          return {
            url: read.url,
            title: read.title,
            content: read.text.slice(offset, end),
            next_offset: end < read.text.length ? end : null,
            total_chars: read.text.length,
          };
        },
      }),
    ];
  };
