import { conflict, notFound } from '@atrium/contract/errors.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { MessageRequest } from '@atrium/contract/runs/message-request.ts';
import type { RunSort } from '@atrium/contract/runs/run-figures.ts';
import type { IfRunning, RunAnswer } from '@atrium/contract/runs/schema.ts';
import type { Settings } from '@atrium/contract/settings/settings.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { Database, Db } from '../../db/database.ts';
import type { Executor } from '../../execution/executor.ts';
import { requireNestingDepth } from '../../execution/nesting.ts';
import { omit } from '../../lib/omit.ts';
import { isOutsider, type Scope } from '../../lib/scope.ts';
import type { Approvals } from '../approvals/service.ts';
import type { Attachments } from '../attachments/service.ts';
import type { LoadedConversation, NewMessage, Transcript } from '../conversations/ports.ts';
import { onlyOf } from '../conversations/service.ts';
import type { UserPart } from '../messages/ports.ts';
import { estimateTokens } from '../messages/service.ts';
import { makeRunStopper } from './end/stop-run.ts';
import { findLastPause } from './log/run-log-store.ts';
import { taintOfStoredParts } from './loop/taint.ts';
import type { RunLog } from './ports.ts';
import { makeRunInserter } from './start/insert-run.ts';
import { makeBranches } from './start/make-branches.ts';
import { hasNamedResources, requireMessagePermissions } from './start/message-permissions.ts';
import { type Begun, makeOnce } from './start/start-once.ts';
import * as store from './store.ts';

export { LogRewound } from './log/log-rewound.ts';
export { toolStepId } from './log/step-ids.ts';
export { replyCut } from './loop/run-agent.ts';
export { callModel } from './models/call-model.ts';
export { modelsForRun } from './models/models-for-run.ts';
export { requestSettings } from './models/request-settings.ts';
export { systemPrompt } from './prompt/prompt.ts';
export { toolNameTaken } from './tools/client-tools.ts';
export { addToolInstructions, coverGivenValues } from './tools/tool-instructions.ts';

export type Runs = ReturnType<typeof makeRuns>;

/** How long a blocking request waits for the end of a run. */
const longestWait = 110_000;

/** Columns that no answer has. */
const hiddenColumns = [
  ...(['user_message_id', 'stop_requested', 'last_seq', 'principal', 'said'] as const),
  ...(['tokens_held', 'usage_settled'] as const),
];

const shown = (row: store.RunRow): RunAnswer => ({
  ...omit(row, hiddenColumns),
  input: { ...row.input },
  workflow_id: row.conversation_id,
  progress: row.finished_at === null ? 0 : 100,
  progress_details: null,
  node_ids: null,
});

function partOf(request: MessageRequest, files: UserPart['files']): UserPart {
  const { content, tool, kb_id, workflow_id, model_selection } = request;
  return {
    role: 'user',
    type: 'user',
    content,
    ...(tool !== undefined && { tool }),
    ...(kb_id !== undefined && { kb_id }),
    ...(workflow_id !== undefined && { workflow_id }),
    ...(model_selection !== undefined && { model_selection }),
    ...(files?.length && { files }),
  };
}

export interface RunsOptions {
  db: Database;
  transcript: Transcript;
  attachments: Attachments;
  executor: Executor<store.RunRow, LoadedConversation>;
  approvals: Pick<Approvals, 'stop'>;
  log: RunLog;
  /** Refuses new work of a caller whose budget is used up. */
  requireBudget(scope: Scope, conversation_id: string): Promise<void>;
  /** Refuses a message of so many bytes when the workspace may not keep that much. */
  requireStorage(scope: Scope, bytes: number): Promise<void>;
  /** Whether the models of these settings take images. */
  sees(scope: Scope, settings: Settings): Promise<boolean>;
  /** Refuses a choice of models none of which is configured. */
  requireModels(scope: Scope, names: readonly string[]): Promise<void>;
}

export function makeRuns(options: RunsOptions) {
  const { db, transcript, attachments, executor, approvals, log, sees, requireBudget, requireStorage } = options;
  const { insert, insertAtOnce, beginWaiting } = makeRunInserter({ db, transcript, node_id: executor.node_id });
  const { stopOne, stop, interrupt } = makeRunStopper({ db, transcript, executor, approvals, log, beginWaiting });
  const { earlier, once } = makeOnce(db);

  async function find(scope: Scope, id: string): Promise<store.RunRow> {
    const row = await store.findRun(db, scope.workspace_id, id);
    if (!row) throw notFound('run');
    // The runs of another person's conversation are hidden with it; the access log names it for a caller that sees all.
    if (scope.noteRead || onlyOf(scope) !== undefined)
      await transcript.read(scope, row.conversation_id).catch(() => {
        if (onlyOf(scope) !== undefined) throw notFound('run');
      });
    return row;
  }

  /**
   * Starts a run for a message, or for a message that a transaction produces first. A busy conversation refuses the
   * message or queues it.
   */
  async function begin(
    scope: Scope,
    conversation_id: string,
    if_running: IfRunning,
    said: UserPart | ((tx: Db) => Promise<UserPart>),
    {
      beyond = false,
      id,
      instead,
    }: {
      /** Do not wait for a slot: a run that holds one may wait for this run. */
      beyond?: boolean;
      /** The id of the run, when the caller must know it beforehand. */
      id?: string | undefined;
      /** What this run alone takes instead of what its message says; only together with a message of a transaction. */
      instead?: Partial<UserPart> | undefined;
    } = {},
  ): Promise<Omit<Begun, 'joined'>> {
    requireNestingDepth(scope);
    await requireBudget(scope, conversation_id);
    await requireStorage(scope, typeof said === 'function' ? 0 : Buffer.byteLength(said.content));
    const slot = beyond ? executor.takeExtraSlot(scope.workspace_id) : executor.takeSlot(scope.workspace_id);
    try {
      const begun = slot && typeof said !== 'function' && (await insertAtOnce(scope, conversation_id, said, id));
      if (begun) {
        executor.start(begun.run, slot, begun.held);
        return begun;
      }
      const run = await db.transaction(undefined, async (tx) => {
        const tokens = typeof said === 'function' ? 0 : estimateTokens(said.content);
        // Counted under the lock, so that no other message is queued in between.
        await transcript.lock(tx, scope.workspace_id, conversation_id);
        const ahead =
          if_running === 'reject' ? 0 : await store.countMessagesAhead(tx, scope.workspace_id, conversation_id);
        const arriving = { tokens, ahead };
        const { row } = await transcript.lockForMessage(tx, scope, conversation_id, arriving);
        if (scope.request_key)
          await store.releaseOldRequestKey(tx, scope.workspace_id, scope.actor.id, scope.request_key.key);
        const active = await store.findUnfinishedRun(tx, scope.workspace_id, conversation_id);
        if (active && if_running === 'reject')
          throw conflict(
            active.status === 'awaiting_human_feedback'
              ? 'The agent waits for a person; answer it, or stop the run'
              : 'The agent is still answering; stop it or wait',
            'run_in_progress',
          );
        const where = { said: !active, begun: !active && slot !== undefined, named: row.name !== null, id, instead };
        if (typeof said !== 'function') return insert(tx, scope, conversation_id, said, where);
        const part = await said(tx);
        // The part may have grown: its tokens are checked again.
        await transcript.lockForMessage(tx, scope, conversation_id, { tokens: estimateTokens(part.content) });
        return insert(tx, scope, conversation_id, part, where);
      });
      if (run.status === 'running' && slot) executor.start(run, slot);
      else {
        slot?.release();
        await executor.notifyWaiting();
        if (if_running === 'interrupt') await interrupt(scope, conversation_id);
      }
      return { run };
    } catch (error) {
      slot?.release();
      throw error;
    }
  }

  return {
    find,
    stop,
    earlier,
    beginWaiting,
    ...makeBranches({ ...options, begin, once }),

    /** Stores the message of the user and starts the run that answers it. */
    send: (
      scope: Scope,
      conversation_id: string,
      request: MessageRequest,
      if_running: IfRunning,
      /** The taint of the message; messages of outsiders are untrusted. */
      {
        brings = isOutsider(scope) ? ['untrusted'] : [],
        beyond = false,
      }: { brings?: readonly Taint[]; beyond?: boolean } = {},
    ) =>
      once(scope, async () => {
        const said = { ...partOf(request, []), ...(brings.length > 0 && { brings }) };
        if (hasNamedResources(request)) {
          const { settings } = await transcript.read(scope, conversation_id);
          requireMessagePermissions(scope, settings, request);
        }
        if (!request.files?.length) return begin(scope, conversation_id, if_running, said, { beyond });
        // Checked before any file is fetched or stored, and again under the lock.
        const { settings } = await transcript.read(scope, conversation_id);
        const files = await attachments.attach(scope, conversation_id, request.files, {
          hosts: settings.allowed_hosts,
        });
        try {
          if (!settings.convert_unsupported_files_to_text) {
            const asked = { ...settings, model: request.model_selection ?? settings.model };
            attachments.check(files, { vision: await sees(scope, asked), convert_unsupported_files_to_text: false });
          }
          return await begin(scope, conversation_id, if_running, { ...said, files }, { beyond });
        } catch (error) {
          await attachments.discard(scope, files, error);
          throw error;
        }
      }),

    /** A turn with its own history, which is stored before it. */
    async converse(
      scope: Scope,
      conversation_id: string,
      history: readonly NewMessage[],
      part: UserPart,
      { beyond = false, id }: { beyond?: boolean; id?: string | undefined } = {},
    ) {
      if (part.files?.length) {
        const { settings } = await transcript.read(scope, conversation_id);
        const vision = await sees(scope, settings);
        if (!settings.convert_unsupported_files_to_text)
          attachments.check(part.files, { vision, convert_unsupported_files_to_text: false });
      }
      const before = async (tx: Db) => {
        for (const message of history)
          await transcript.append(tx, scope.workspace_id, conversation_id, {
            ...{ ...message, brought: taintOfStoredParts(message.parts) },
          });
        return part;
      };
      const { run } = await begin(scope, conversation_id, 'reject', history.length ? before : part, { beyond, id });
      return run;
    },

    /** Resolves at the end of the run, or when a blocking request must be answered. */
    async settled(scope: Scope, run: store.RunRow): Promise<void> {
      if (run.finished_at !== null || run.status === 'awaiting_human_feedback') return;
      const enough = AbortSignal.any([scope.signal, AbortSignal.timeout(longestWait)]);
      for await (const _ of log.follow(scope.workspace_id, run.id, run.last_seq, enough, 'ignore-lost'));
    },

    async stopRun(scope: Scope, id: string): Promise<RunAnswer> {
      const run = await find(scope, id);
      if (run.finished_at === null) await stopOne(scope, run);
      return shown(await find(scope, id));
    },

    get: async (scope: Scope, id: string): Promise<RunAnswer> => shown(await find(scope, id)),

    async newest(scope: Scope, filter: Omit<store.RunFilter, 'only_of'>, sort: RunSort, window: PageWindow) {
      const { workspace_id } = scope;
      const { conversation_id, assistant_id } = filter;
      const own = { ...filter, only_of: onlyOf(scope) };
      const { rows, total, facets } = await store.listRuns(db, workspace_id, own, sort, window);
      if (total === 0 && conversation_id) await transcript.read(scope, conversation_id);
      if (total === 0 && assistant_id && !(await store.hasAgent(db, workspace_id, assistant_id)))
        throw notFound('agent');
      return { items: rows.map(shown), total, ...(facets && { facets }) };
    },

    /** The number of the last `run-pause`; 0 when the run never waited for people. */
    pausedAt: ({ group_id, id }: store.RunRow) => findLastPause(db, group_id, id),

    /** The unfinished run, or else the latest one. */
    current: async (scope: Scope, conversation_id: string) =>
      (await store.findActiveRun(db, scope.workspace_id, conversation_id)) ??
      store.findLatestRun(db, scope.workspace_id, conversation_id),
  };
}
