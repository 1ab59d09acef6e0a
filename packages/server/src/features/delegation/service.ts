import { AppError, notFound } from '@atrium/contract/errors.ts';
import type { NumberedEvent, RunError, Usage } from '@atrium/contract/runs/events.ts';
import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { Database } from '../../db/database.ts';
import { parseStored } from '../../lib/json/parse-stored.ts';
import { errorFields } from '../../lib/log.ts';
import { omit } from '../../lib/omit.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Transcript } from '../conversations/ports.ts';
import { type Conversations, firstMessageTitle } from '../conversations/service.ts';
import type { MessageFile, MessagePart } from '../messages/ports.ts';
import type { RunLog } from '../runs/ports.ts';
import type { Runs } from '../runs/service.ts';

type RunRow = Awaited<ReturnType<Runs['find']>>;

/** Asks an agent on behalf of a program: an MCP client, another agent, a workflow. */
export interface AgentCaller {
  /** Starts a run in a new or an earlier conversation. */
  begin(scope: Scope, question: AgentQuestion): Promise<RunRow>;
  /** Waits until the run ends or waits for people. `signal` stops the run on any node; `left` only ends the waiting. */
  settle(
    scope: Scope,
    run: RunRow,
    signal: AbortSignal,
    watch?: (event: NumberedEvent) => void,
    left?: AbortSignal,
  ): Promise<AgentAnswer>;
  find: Runs['find'];
}

export interface AgentQuestion {
  agent_id: string;
  message: string;
  /** An earlier conversation with the same agent, to continue. */
  conversation_id?: string | undefined;
  /** The channel that a new conversation is marked with. */
  transport: string;
  /** Limits of a new conversation, besides its agent's settings. */
  bound?: SparseSettings;
  /** The taint of the message. */
  brings?: readonly Taint[];
  /** The asking run holds a slot, so this run takes an extra one: waiting for a slot could deadlock. */
  beyond?: boolean;
  /** The id of the run, where the caller must know it beforehand. */
  run_id?: string | undefined;
  /** Called with a new conversation before its first message. */
  prepare?(conversation_id: string): Promise<unknown>;
}

/** The result of a question to an agent. */
export interface AgentAnswer {
  conversation_id: string;
  run_id: string;
  status: 'completed' | 'failed' | 'stopped' | 'awaiting_human_feedback';
  /** The text of the reply. */
  reply: string;
  error: RunError | null;
  /** The files that tools made for the reply. */
  files: readonly MessageFile[];
  usage: Usage | null;
  /** Why the model stopped, such as `length`. Null: not known. */
  finish_reason: string | null;
  warnings: readonly string[];
  /** The taint of the conversation after the run. */
  brings: readonly Taint[];
}

export interface AgentCallerOptions {
  db: Database;
  conversations: Conversations;
  transcript: Transcript;
  runs: Runs;
  log: RunLog;
}

type Told = Pick<AgentAnswer, 'usage' | 'finish_reason' | 'warnings'>;
const noReply = { said: [], usage: null, finish_reason: null, warnings: [], brings: [] };

const textOf = (parts: readonly MessagePart[]) =>
  parts
    .flatMap((part) => ((part.type === 'text' && !part.advice) || part.type === 'handover' ? part.content : []))
    .join('');

export function makeAgentCaller(options: AgentCallerOptions): AgentCaller {
  const { db, conversations, transcript, runs, log } = options;

  async function begin(given: Scope, question: AgentQuestion): Promise<RunRow> {
    // Idempotency keys belong to the answer of the request, not to the records that are created here.
    const scope = omit(given, ['idempotency', 'request_key']);
    const { message: content, brings = [], beyond = false, run_id: id } = question;
    const part = { role: 'user' as const, type: 'user' as const, content, ...(brings.length > 0 && { brings }) };
    if (question.conversation_id !== undefined) {
      const row = await conversations.find(scope, question.conversation_id);
      if (row.assistant_id !== question.agent_id) throw notFound('conversation');
      await conversations.inherit(scope, row.id);
      return runs.converse(scope, row.id, [], part, { beyond, id });
    }
    const { bound } = question;
    // The conversation gets a name at once, so that no model is asked for one.
    const create = { name: firstMessageTitle(content), preview: false };
    const { row } = await conversations.create(scope, question.agent_id, create, question.transport, undefined, {
      bound,
    });
    try {
      await question.prepare?.(row.id);
      return await runs.converse(scope, row.id, [], part, { beyond, id });
    } catch (error) {
      await conversations.remove(scope, row.id);
      throw error;
    }
  }

  /** The stored reply; a run that has just paused may have none yet. */
  async function readReply(scope: Scope, run: RunRow) {
    try {
      const { parts, metadata } = await transcript.getMessage(db, scope, run.conversation_id, run.message_id);
      const said = parseStored<MessagePart[]>(parts);
      const known = metadata ? parseStored<Partial<Told>>(metadata) : null;
      const { usage = null, finish_reason = null, warnings = [] } = known ?? {};
      // The conversation stores its taint; that of a paused run is only in its message.
      const { brought } = (await transcript.read(scope, run.conversation_id)).row;
      const now = said.flatMap((part) => ('brings' in part ? (part.brings ?? []) : []));
      return { said, usage, finish_reason, warnings, brings: [...new Set([...brought, ...now])] };
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not_found') return noReply;
      throw error;
    }
  }

  async function settle(
    scope: Scope,
    run: RunRow,
    signal: AbortSignal,
    watch: (event: NumberedEvent) => void = () => {},
    left?: AbortSignal,
  ): Promise<AgentAnswer> {
    let ended: Pick<AgentAnswer, 'status' | 'error'> | undefined;
    const until = left ? AbortSignal.any([signal, left]) : signal;
    for await (const event of log.follow(scope.workspace_id, run.id, 0, until, 'ignore-lost')) {
      watch(event);
      if (event.type === 'run-end') ended = { status: event.status, error: event.error };
      else if (event.type === 'run-pause') ended = { status: 'awaiting_human_feedback', error: null };
      else if (event.type === 'run-resume') ended = undefined;
      // Follow a run that was paused and has resumed since.
      if (event.type === 'run-pause' && (await runs.find(scope, run.id)).status === 'awaiting_human_feedback') break;
    }
    if (!ended && !signal.aborted) left?.throwIfAborted();
    if (!ended) {
      await runs.stopRun(scope, run.id).catch((error: unknown) => {
        scope.log.warn('delegation.stop_failed', { run_id: run.id, ...errorFields(error) });
      });
      signal.throwIfAborted();
      throw new AppError('unavailable', 'The run could not be followed to its end');
    }
    const { said, ...told } = await readReply(scope, run);
    const { conversation_id, id: run_id } = run;
    const files = said.flatMap((part) => (part.type === 'file' ? part.files : []));
    return { conversation_id, run_id, ...ended, reply: textOf(said), files, ...told };
  }

  return { begin, settle, find: runs.find };
}
