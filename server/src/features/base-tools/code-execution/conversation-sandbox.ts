import type { Database } from '../../../db/database.ts';
import type { Language, SandboxEngines } from '../../../drivers/sandboxes/driver.ts';
import { AppError } from '../../../lib/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { ToolFile } from '../../../lib/tool.ts';
import type { ToolContext } from '../../runs/offered-tools.ts';
import type { SandboxCommands } from '../../sandboxes/commands.ts';
import type { ExecAnswer } from '../../sandboxes/schema.ts';
import type { Opened, Sandboxes } from '../../sandboxes/service.ts';
import type { Settings } from '../../settings/settings.ts';
import { ToolError } from '../../tools/run-tool.ts';
import type { ConversationFiles } from '../conversation-files/service.ts';
import { bringFiles, changedSince, collect, snapshot } from './sandbox-files.ts';
import * as store from './store.ts';

export type ConversationSandbox = ReturnType<typeof makeConversationSandbox>;

export interface CodeRun {
  tool: string;
  language: Language;
  code: string;
  /** Seconds. */
  timeout: number;
  inline: boolean;
}

export interface CodeResult extends Pick<ExecAnswer, 'exit_code' | 'reason' | 'stdout' | 'stderr' | 'truncated'> {
  /** Names of the conversation's files that the code could read. */
  inputs: string[];
  files: ToolFile[];
  /** What could not be kept, and why. */
  notes: string[];
}

/** The longest that one command may run, whatever the settings say. */
const longest = 600;

/** What a sandbox refuses is for the model to read. */
async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof AppError ? new ToolError(error.message) : error;
  }
}

/** Where the code of a conversation runs: one sandbox for all its calls, without a network, gone when it has been idle. */
export function makeConversationSandbox(options: {
  db: Database;
  engines: Pick<SandboxEngines, 'chosen'>;
  sandboxes: Pick<Sandboxes, 'create' | 'open' | 'remove'>;
  commands: Pick<SandboxCommands, 'run'>;
  kept: ConversationFiles;
}) {
  const { db, engines, sandboxes, commands, kept } = options;

  async function open(scope: Scope, conversation_id: string): Promise<Opened> {
    const before = await store.findSandbox(db, scope.workspace_id, conversation_id);
    if (before !== undefined) {
      const there = await sandboxes.open(scope, before).catch((error: unknown) => {
        // Cleared away since, or broken: the conversation gets another.
        if (error instanceof AppError && ['not_found', 'conflict'].includes(error.kind)) return undefined;
        throw error;
      });
      if (there) return there;
    }
    const label = `Conversation ${conversation_id}`;
    const { id } = await sandboxes.create(scope, { label, persistent: false, network: false });
    if (await store.putSandbox(db, scope.workspace_id, conversation_id, id, before)) return sandboxes.open(scope, id);
    // Two calls at once have made one each.
    await sandboxes.remove(scope, id);
    const other = await store.findSandbox(db, scope.workspace_id, conversation_id);
    return sandboxes.open(scope, other ?? id);
  }

  return {
    async run(
      scope: Scope,
      context: ToolContext,
      settings: Settings,
      { tool, language, code, timeout, inline }: CodeRun,
      signal: AbortSignal,
    ): Promise<CodeResult> {
      // The answer of a request is none of the records that are made on the way.
      const { idempotency: _, ...inner } = scope;
      const chosen = await engines.chosen();
      if (chosen.usable && !chosen.languages.includes(language))
        throw new ToolError(`The sandboxes here run ${chosen.languages.join(', ')}, not ${language}. ${chosen.advice}`);
      const opened = await told(open(inner, context.conversation_id));
      const { driver, ref } = opened;
      const inputs = await bringFiles(inner, opened, kept, await kept.list(inner, context.conversation_id, settings));
      const before = await snapshot(driver, ref);
      const request = { command: code, language, timeout: Math.min(timeout, longest), cwd: '', env: {}, stdin: '' };
      const ended = await told(commands.run(inner, opened.row.id, { ...request, stream: false }, signal));
      const files: ToolFile[] = [];
      const notes: string[] = [];
      for (const { path, bytes, problem } of await collect(
        driver,
        ref,
        changedSince(before, await snapshot(driver, ref)),
      ))
        if (bytes) files.push(await kept.keep(inner, context, { filename: path, bytes, tool, inline }));
        else notes.push(`${path} was not kept: ${problem}`);
      const { exit_code, reason, stdout, stderr, truncated } = ended;
      return { exit_code, reason, stdout, stderr, truncated, inputs, files, notes };
    },
  };
}
