import { z } from 'zod';
import type { Tool, ToolProvider } from '../../tools/ports.ts';
import { defineTool, ToolError } from '../../tools/service.ts';
import { enabledEntry } from '../enabled-entry.ts';
import { rankPassages } from '../rank-passages.ts';
import { type Documentation, sectionsOf } from './documentation-pages.ts';

const pageChars = 20_000;
const found = z.object({
  results: z.array(z.object({ page: z.string(), title: z.string(), heading: z.string(), content: z.string() })),
});
const read = z.object({
  page: z.string(),
  title: z.string(),
  content: z.string(),
  next_offset: z.int().nullable(),
});

/** Answers questions about this platform from its documentation. */
export const makeDocumentationTools =
  (documentation: Documentation): ToolProvider =>
  async (_, settings): Promise<Tool[]> => {
    if (!enabledEntry(settings, 'documentation')) return [];
    return [
      defineTool({
        tool: 'documentation_search',
        description: 'Searches the documentation of this platform: its settings, API, tools and how to run it.',
        input: z.object({ query: z.string().min(1).max(2000) }),
        output: found,
        repeatable: true,
        sources: (output) =>
          found.parse(output).results.map(({ title, heading, content }) => ({
            url: null,
            title: title === heading ? title : `${title}: ${heading}`,
            quote: content.slice(0, 300),
          })),
        async run(_scope, { query }) {
          const sections = (await documentation()).flatMap(sectionsOf);
          return { results: rankPassages(query, sections, 6) };
        },
      }),
      defineTool({
        tool: 'documentation_read',
        description: `Reads a page of the documentation of this platform, ${pageChars} characters at a time.`,
        input: z.object({ page: z.string().max(100), offset: z.int().min(0).optional() }),
        output: read,
        repeatable: true,
        sources: (output) => [{ url: null, title: read.parse(output).title, quote: null }],
        async run(_scope, { page: wanted, offset = 0 }) {
          const pages = await documentation();
          const page = pages.find((one) => one.page === wanted.toLowerCase().replace(/\.md$/, ''));
          if (!page)
            throw new ToolError(`There is no page ${wanted}; there are ${pages.map((one) => one.page).join(', ')}`);
          const end = Math.min(page.text.length, offset + pageChars);
          return {
            page: page.page,
            title: page.title,
            content: page.text.slice(offset, end),
            next_offset: end < page.text.length ? end : null,
          };
        },
      }),
    ];
  };
