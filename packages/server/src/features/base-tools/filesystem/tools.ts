import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import { z } from 'zod';
import type { Scope } from '../../../lib/scope.ts';
import { cutBefore } from '../../../lib/text/cut-text.ts';
import type { FileTexts } from '../../files/ports.ts';
import type { Tool, ToolProvider } from '../../tools/ports.ts';
import { defineTool, ToolError } from '../../tools/service.ts';
import type { ConversationFiles, KnownFile } from '../conversation-files/service.ts';
import { toolFile } from '../conversation-files/tool-files.ts';
import { enabledEntry } from '../enabled-entry.ts';
import { rankPassages, splitPassages } from '../rank-passages.ts';
import { makeReadKnownFile } from './read-known-file.ts';

const pageChars = 20_000;
const mostFound = 10;
/** The most files of one search; each may have to be extracted first. */
const mostSearched = 40;

const path = z.string().min(1).max(300).describe('The name of a file, as filesystem_list has it');
const origin = z.enum(['attached', 'made', 'agent']);
/**
 * Made once: every agent gets these tools, and making JSON schemas for each message would take longer than the rest.
 */
const shapes = {
  list: {
    input: z.object({}),
    output: z.object({ files: z.array(z.object({ path: z.string(), size: z.int(), type: z.string(), origin })) }),
  },
  read: {
    input: z.object({ path, offset: z.int().min(0).optional().describe('next_offset of the page before') }),
    output: z.object({
      path: z.string(),
      origin,
      content: z.string(),
      offset: z.int(),
      next_offset: z.int().nullable(),
      total_chars: z.int(),
      warnings: z.array(z.string()),
    }),
  },
  write: {
    input: z.object({ path, content: z.string().max(1_000_000) }),
    output: z.object({ files: z.array(toolFile) }),
  },
  search: {
    input: z.object({ query: z.string().min(1).max(2000) }),
    output: z.object({
      results: z.array(z.object({ path: z.string(), title: z.string(), origin, content: z.string(), offset: z.int() })),
      not_read: z.array(z.string()),
    }),
  },
};

/** Uploaded files are untrusted; files that were made here contain what the conversation contains. */
const broughtBy = (origins: readonly KnownFile['origin'][]): readonly Taint[] => [
  ...(origins.some((one) => one !== 'made') ? (['untrusted'] as const) : []),
  ...(origins.length ? (['private'] as const) : []),
];

/** The files of a conversation as a small file system: from messages, tools and the agent. */
export const makeFilesystemTools =
  ({ kept, texts }: { kept: ConversationFiles; texts: FileTexts }): ToolProvider =>
  async (_, settings, context): Promise<Tool[]> => {
    if (!enabledEntry(settings, 'filesystem')) return [];
    const read = makeReadKnownFile(texts);
    const list = (scope: Scope) => kept.list(scope, context.conversation_id, settings);

    async function find(scope: Scope, wanted: string): Promise<KnownFile> {
      const all = await list(scope);
      const found = all.find((one) => one.path === wanted) ?? all.find(({ file }) => file.id === wanted);
      if (found) return found;
      const names = all.slice(0, 50).map((one) => one.path);
      throw new ToolError(
        `There is no file ${wanted}. There ${names.length ? `is: ${names.join(', ')}` : 'are no files'}`,
      );
    }

    const listing = defineTool({
      tool: 'filesystem_list',
      description: "Lists this conversation's files.",
      ...shapes.list,
      repeatable: true,
      run: async (scope) => ({
        files: (await list(scope)).map((one) => ({
          path: one.path,
          size: one.file.size,
          type: one.file.content_type,
          origin: one.origin,
        })),
      }),
    });

    const reading = defineTool({
      tool: 'filesystem_read',
      description: `Reads the text of a file, ${pageChars} characters at a time.`,
      ...shapes.read,
      repeatable: true,
      reads_files: {
        how: (path) =>
          `filesystem_read reads it by the path ${JSON.stringify(path)}, ${pageChars} characters at a time; filesystem_search finds words in it`,
        paths: async (scope) => new Map((await list(scope)).map((one) => [one.file.id, one.path])),
      },
      brings: ['untrusted', 'private'],
      brought: (found) => broughtBy([shapes.read.output.parse(found).origin]),
      async run(scope, { path: wanted, offset = 0 }, signal) {
        const one = await find(scope, wanted);
        const { text, warnings } = await read(scope, one, signal);
        const end = cutBefore(text, offset + pageChars);
        return {
          path: one.path,
          origin: one.origin,
          content: text.slice(offset, end),
          offset,
          next_offset: end < text.length ? end : null,
          total_chars: text.length,
          warnings,
        };
      },
    });

    const writing = defineTool({
      tool: 'filesystem_write',
      description: 'Writes a text file of this conversation; one that a tool wrote under this name is replaced.',
      ...shapes.write,
      repeatable: true,
      run: async (scope, { path: filename, content }) => ({
        files: [
          await kept.keep(scope, context, {
            filename,
            bytes: Buffer.from(content),
            tool: 'filesystem_write',
            inline: false,
          }),
        ],
      }),
    });

    const searching = defineTool({
      tool: 'filesystem_search',
      description: "Searches the text of this conversation's files for words.",
      ...shapes.search,
      repeatable: true,
      brings: ['untrusted', 'private'],
      brought: (found) => broughtBy(shapes.search.output.parse(found).results.map((one) => one.origin)),
      async run(scope, { query }, signal) {
        const all = await list(scope);
        const not_read = all.slice(mostSearched).map((one) => one.path);
        const passages = [];
        for (const one of all.slice(0, mostSearched))
          try {
            const { text } = await read(scope, one, signal);
            for (const passage of splitPassages(text))
              passages.push({ ...passage, path: one.path, title: one.path, origin: one.origin });
          } catch (error) {
            if (!(error instanceof ToolError)) throw error;
            not_read.push(one.path);
          }
        const results = rankPassages(query, passages, mostFound);
        return { results, not_read };
      },
    });

    return [listing, reading, writing, searching];
  };
