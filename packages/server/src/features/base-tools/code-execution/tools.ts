import { languages } from '@atrium/contract/sandboxes/engines.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import { z } from 'zod';
import type { Tool, ToolContext, ToolProvider } from '../../tools/ports.ts';
import { defineTool } from '../../tools/service.ts';
import { filesIn, toolFile } from '../conversation-files/tool-files.ts';
import { enabledEntry } from '../enabled-entry.ts';
import type { ConversationSandbox } from './conversation-sandbox.ts';

/** For opening the sandbox, and for copying files in and out. */
const secondsAround = 20;

const code = z.string().min(1).max(90_000);
const output = z.object({
  exit_code: z.int().nullable(),
  reason: z.string(),
  stdout: z.string(),
  stderr: z.string(),
  truncated: z.boolean(),
  inputs: z.array(z.string()),
  files: z.array(toolFile),
  notes: z.array(z.string()),
});

/** The output of code may contain what it read in the conversation's files. */
const brought = (found: unknown): readonly Taint[] =>
  output.parse(found).inputs.length > 0 ? ['untrusted', 'private'] : [];

const shared = {
  output,
  // Code may have changed files, so it is not run again.
  repeatable: false,
  files: filesIn,
  brings: ['untrusted', 'private'],
  brought,
  permission: 'sandboxes_run',
} as const;

const about =
  "The working directory has this conversation's files and stays between calls; there is no network. Files that it writes are shown to the user.";

/** A tool that runs code of the model, for up to this many seconds. */
export const codeTool = (
  sandbox: ConversationSandbox,
  context: ToolContext,
  settings: Settings,
  { tool, timeout }: { tool: string; timeout: number },
): Tool =>
  defineTool({
    ...shared,
    tool,
    description: `Runs Python, JavaScript or Bash for up to ${timeout} s. ${about}`,
    input: z.object({ language: z.enum(languages), code }),
    run: (scope, input, signal) =>
      sandbox.run(scope, context, settings, { ...input, tool, timeout, inline: true }, signal),
  });

/** Runs code in the conversation's sandbox. */
export const makeCodeTools =
  (sandbox: ConversationSandbox): ToolProvider =>
  async (_, settings, context): Promise<Tool[]> => {
    const entry = enabledEntry(settings, 'code_execution');
    if (!entry) return [];
    const timeout = Number(entry['timeout'] ?? 60);
    const tool = codeTool(sandbox, context, settings, { tool: 'code_execution_run', timeout });
    const reads_files: Tool['reads_files'] = {
      how: (path) => `code of code_execution_run opens it as ${JSON.stringify(path)} in its working directory`,
      paths: (scope) => sandbox.paths(scope, context.conversation_id, settings),
    };
    // The setting counts for the code alone, so `tool_timeout` must not end it earlier.
    return [{ ...tool, time_s: timeout + secondsAround, ...((await sandbox.isUsable()) && { reads_files }) }];
  };

/** Makes files by code, for the tool that makes files. */
export const makePythonTool =
  (sandbox: ConversationSandbox) =>
  (context: ToolContext, settings: Settings, inline: boolean): Tool =>
    defineTool({
      ...shared,
      tool: 'files_make_with_python',
      description: `Makes files that no other tool can make, by Python code that writes them. ${about}`,
      input: z.object({ code }),
      run: (scope, input, signal) =>
        sandbox.run(
          scope,
          context,
          settings,
          { tool: 'files_make_with_python', language: 'python', code: input.code, timeout: 120, inline },
          signal,
        ),
    });
