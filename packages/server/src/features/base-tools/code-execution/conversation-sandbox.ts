import { AppError } from '@atrium/contract/errors.ts';
import type { Language } from '@atrium/contract/sandboxes/engines.ts';
import type { ExecAnswer } from '@atrium/contract/sandboxes/schema.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import { sandboxEntry } from '@atrium/contract/settings/tools/tool-entries.ts';
import type { ToolFile } from '@atrium/contract/tools/tool-result.ts';
import type { Database } from '../../../db/database.ts';
import { type SandboxDriver, type SandboxEngines, SandboxFileRefused } from '../../../drivers/sandboxes/driver.ts';
import { omit } from '../../../lib/omit.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { SandboxCommands } from '../../sandboxes/ports.ts';
import type { Opened, Sandboxes } from '../../sandboxes/service.ts';
import type { ToolContext } from '../../tools/ports.ts';
import { ToolError } from '../../tools/service.ts';
import type { ConversationFiles } from '../conversation-files/service.ts';
import * as store from './conversation-sandbox-store.ts';
import { collect, copiedFiles, copyFilesIn, findChangedFiles, snapshot } from './sandbox-files.ts';

export interface ConversationSandbox {
  /** Whether code can be run here. */
  isUsable(): Promise<boolean>;
  /** The names of the conversation's files in the working directory, by file id. */
  paths(scope: Scope, conversation_id: string, settings: Settings): Promise<ReadonlyMap<string, string>>;
  /** Works on the files of the sandbox, outside of any command. */
  using<T>(
    scope: Scope,
    context: ToolContext,
    settings: Settings,
    work: (files: SandboxDriver['files'], ref: string) => Promise<T>,
  ): Promise<T>;
  run(
    scope: Scope,
    context: ToolContext,
    settings: Settings,
    request: CodeRun,
    signal: AbortSignal,
  ): Promise<CodeResult>;
}

export interface CodeRun {
  tool: string;
  language: Language;
  code: string;
  /** In seconds. */
  timeout: number;
  inline: boolean;
}

export interface CodeResult extends Pick<ExecAnswer, 'exit_code' | 'reason' | 'stdout' | 'stderr' | 'truncated'> {
  /** The names of the conversation's files that the code could read. */
  inputs: string[];
  files: ToolFile[];
  /** The files that could not be kept, and why. */
  notes: string[];
}

/** The longest time of one command, also when the settings allow more. */
const longest = 600;

/** Turns refusals of a sandbox into errors that the model reads. */
async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof AppError || error instanceof SandboxFileRefused ? new ToolError(error.message) : error;
  }
}

/** Whether the files of the sandbox are kept when it is idle. */
const staysFor = ({ tools }: Settings) => sandboxEntry(tools)?.['persistent'] === true;

/**
 * Runs the code of a conversation: one sandbox without a network for all its calls. An idle sandbox is deleted, unless
 * the settings keep it as long as the conversation.
 */
export function makeConversationSandbox(options: {
  db: Database;
  engines: Pick<SandboxEngines, 'chosen'>;
  sandboxes: Pick<Sandboxes, 'create' | 'open' | 'remove' | 'explain' | 'touch' | 'holdFiles'>;
  commands: Pick<SandboxCommands, 'run'>;
  kept: ConversationFiles;
}): ConversationSandbox {
  const { db, engines, sandboxes, commands, kept } = options;

  async function open(scope: Scope, conversation_id: string, persistent: boolean): Promise<Opened> {
    const before = (await store.findSandbox(db, scope.workspace_id, conversation_id))?.sandbox_id;
    if (before !== undefined) {
      const there = await sandboxes.open(scope, before).catch((error: unknown) => {
        // The sandbox was deleted or is broken: the conversation gets another.
        if (error instanceof AppError && ['not_found', 'conflict'].includes(error.kind)) return undefined;
        throw error;
      });
      if (there && (there.row.persistent || !persistent)) return there;
    }
    const label = `Conversation ${conversation_id}`;
    const { id } = await sandboxes.create(scope, { label, persistent, network: false }, { conversation_id });
    if (await store.putSandbox(db, scope.workspace_id, conversation_id, id, before)) return sandboxes.open(scope, id);
    // A concurrent call has made a sandbox too.
    await sandboxes.remove(scope, id);
    const other = (await store.findSandbox(db, scope.workspace_id, conversation_id))?.sandbox_id;
    return sandboxes.open(scope, other ?? id);
  }

  const note = ({ workspace_id }: Scope, conversation_id: string, { row }: Opened, file_ids: readonly string[]) =>
    store.addCopiedFiles(db, workspace_id, conversation_id, { sandbox_id: row.id, file_ids });

  /** Hands over the sandbox with the conversation's files in it, which no other node changes meanwhile. */
  async function withFiles<T>(
    scope: Scope,
    { conversation_id }: ToolContext,
    settings: Settings,
    work: (opened: Opened, inputs: string[]) => Promise<T>,
  ): Promise<T> {
    const opened = await told(open(scope, conversation_id, staysFor(settings)));
    const hold = await told(sandboxes.holdFiles(scope, opened));
    try {
      const row = await store.findSandbox(db, scope.workspace_id, conversation_id);
      const known = await kept.list(scope, conversation_id, settings);
      const { inputs, brought } = await copyFilesIn(scope, opened, kept, known, new Set(row?.brought));
      if (brought.length) await note(scope, conversation_id, opened, brought);
      return await work(opened, inputs);
    } finally {
      await told(hold.release());
    }
  }

  return {
    isUsable: async () => (await engines.chosen()).usable,

    paths: async (scope, conversation_id, settings) =>
      new Map(copiedFiles(await kept.list(scope, conversation_id, settings)).map(({ file, path }) => [file.id, path])),

    async using<T>(
      scope: Scope,
      context: ToolContext,
      settings: Settings,
      work: (files: SandboxDriver['files'], ref: string) => Promise<T>,
    ): Promise<T> {
      const inner = omit(scope, ['idempotency']);
      const use = async (opened: Opened) => {
        try {
          return await work(opened.driver.files, opened.ref);
        } catch (error) {
          if (error instanceof SandboxFileRefused) throw new ToolError(error.message);
          const known = await sandboxes.explain(inner, opened, error);
          throw known instanceof AppError ? new ToolError(known.message) : known;
        } finally {
          await sandboxes.touch(inner, opened.row.id);
        }
      };
      return withFiles(inner, context, settings, use);
    },

    async run(
      scope: Scope,
      context: ToolContext,
      settings: Settings,
      { tool, language, code, timeout, inline }: CodeRun,
      signal: AbortSignal,
    ): Promise<CodeResult> {
      // Records that are made on the way must not be stored as the answer of the idempotent request.
      const inner = omit(scope, ['idempotency']);
      const chosen = await engines.chosen();
      if (chosen.usable && !chosen.languages.includes(language))
        throw new ToolError(`The sandboxes here run ${chosen.languages.join(', ')}, not ${language}. ${chosen.advice}`);
      const runCode = async (opened: Opened, inputs: string[]): Promise<CodeResult> => {
        const { driver, ref } = opened;
        const before = await snapshot(driver, ref);
        const request = { command: code, language, timeout: Math.min(timeout, longest), cwd: '', env: {}, stdin: '' };
        const ended = await told(commands.run(inner, opened.row.id, { ...request, stream: false }, signal));
        const files: ToolFile[] = [];
        const notes: string[] = [];
        for (const { path, bytes, problem } of await collect(
          driver,
          ref,
          findChangedFiles(before, await snapshot(driver, ref)),
        ))
          if (bytes) files.push(await kept.keep(inner, context, { filename: path, bytes, tool, inline }));
          else notes.push(`${path} was not kept: ${problem}`);
        // These files are in the sandbox already.
        const made = files.map(({ id }) => id);
        if (made.length) await note(inner, context.conversation_id, opened, made);
        const { exit_code, reason, stdout, stderr, truncated } = ended;
        return { exit_code, reason, stdout, stderr, truncated, inputs, files, notes };
      };
      return withFiles(inner, context, settings, runCode);
    },
  };
}
