import { sandboxEntry } from '@atrium/contract/settings/tools/tool-entries.ts';
import { z } from 'zod';
import type { SandboxDriver } from '../../../drivers/sandboxes/driver.ts';
import type { Scope } from '../../../lib/scope.ts';
import { cutBefore } from '../../../lib/text/cut-text.ts';
import type { Tool, ToolProvider } from '../../tools/ports.ts';
import { defineTool, ToolError } from '../../tools/service.ts';
import type { ConversationSandbox } from './conversation-sandbox.ts';
import { codeTool } from './tools.ts';

const pageChars = 20_000;
const mostListed = 500;
const mostRead = 5 * 1024 * 1024;
/** The time limit of one command, in seconds. */
const timeout = 120;

const path = z.string().min(1).max(1000).describe('Below the working directory');
/** Made once: making JSON schemas for each message would take longer than the rest. */
const shapes = {
  list: {
    input: z.object({ path: path.optional().describe('A directory; left out, the working directory itself') }),
    output: z.object({
      files: z.array(z.object({ path: z.string(), type: z.string(), size: z.int() })),
      left_out: z.int(),
    }),
  },
  read: {
    input: z.object({ path, offset: z.int().min(0).optional().describe('next_offset of the page before') }),
    output: z.object({
      path: z.string(),
      content: z.string(),
      offset: z.int(),
      next_offset: z.int().nullable(),
      total_chars: z.int(),
    }),
  },
  write: {
    input: z.object({ path, content: z.string().max(1_000_000) }),
    output: z.object({ path: z.string(), size: z.int() }),
  },
  remove: { input: z.object({ path }), output: z.object({ path: z.string() }) },
};

async function textOf(files: SandboxDriver['files'], ref: string, wanted: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of await files.read(ref, wanted)) {
    size += chunk.length;
    if (size > mostRead) throw new ToolError('The file is larger than 5 MB; read a part of it by a command');
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.includes(0)) throw new ToolError('The file is no text');
  return bytes.toString('utf8');
}

/** A sandbox for agents whose settings have an entry `sandbox`: its files, and commands if the entry allows them. */
export const makeSandboxTools =
  (sandbox: ConversationSandbox): ToolProvider =>
  async (_, settings, context): Promise<Tool[]> => {
    const entry = sandboxEntry(settings.tools);
    if (!entry) return [];
    const using = <T>(scope: Scope, work: (files: SandboxDriver['files'], ref: string) => Promise<T>) =>
      sandbox.using(scope, context, settings, work);
    const shared = { repeatable: true, permission: 'sandboxes_run' } as const;
    const lasts =
      entry['persistent'] === true
        ? 'It stays as it is left for as long as the conversation does.'
        : 'It is gone when it has not been used for 15 minutes.';

    const tools = [
      defineTool({
        ...{ ...shared, ...shapes.list, tool: 'sandbox_list_files' },
        description: `Lists files of this conversation's sandbox, which has the conversation's files in it. ${lasts}`,
        run: (scope, { path: wanted = '' }) =>
          using(scope, async (files, ref) => {
            const all = await files.list(ref, wanted);
            const shown = all.slice(0, mostListed).map(({ path: at, type, size }) => ({ path: at, type, size }));
            return { files: shown, left_out: all.length - shown.length };
          }),
      }),
      defineTool({
        ...{ ...shared, ...shapes.read, tool: 'sandbox_read_file' },
        description: `Reads a text file of the sandbox, ${pageChars} characters at a time.`,
        // Files in the sandbox may come from the conversation, or from code that read it.
        brings: ['untrusted', 'private'],
        run: (scope, { path: wanted, offset = 0 }) =>
          using(scope, async (files, ref) => {
            const text = await textOf(files, ref, wanted);
            const end = cutBefore(text, offset + pageChars);
            const next_offset = end < text.length ? end : null;
            const content = text.slice(offset, end);
            return { path: wanted, content, offset, next_offset, total_chars: text.length };
          }),
      }),
      defineTool({
        ...{ ...shared, ...shapes.write, tool: 'sandbox_write_file' },
        description: 'Writes a text file in the sandbox, with the directories above it; one that is there is replaced.',
        run: (scope, { path: wanted, content }) =>
          using(scope, async (files, ref) => {
            const { size } = await files.write(ref, wanted, Buffer.from(content));
            return { path: wanted, size };
          }),
      }),
      defineTool({
        ...{ ...shared, ...shapes.remove, tool: 'sandbox_delete_file' },
        description: 'Deletes a file of the sandbox, or a directory with all that is in it.',
        run: (scope, { path: wanted }) =>
          using(scope, async (files, ref) => {
            await files.remove(ref, wanted);
            return { path: wanted };
          }),
      }),
    ];
    if (entry['include_execute'] === false) return tools;
    return [...tools, codeTool(sandbox, context, settings, { tool: 'sandbox_execute', timeout })];
  };
