import { AppError, notFound } from '@atrium/contract/errors.ts';
import type { NumberedEvent, RunError, Usage } from '@atrium/contract/runs/events.ts';
import type { SparseSettings } from '@atrium/contract/settings/settings.ts';
import type { Taint } from '@atrium/contract/tools/tool-result.ts';
import type { Database } from '../../db/database.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Transcript } from '../conversations/ports.ts';
import { type Conversations, firstMessageTitle } from '../conversations/service.ts';
import type { MessageFile, MessagePart } from '../messages/ports.ts';
import type { RunLog } from '../runs/ports.ts';
import type { Runs } from '../runs/service.ts';

type RunRow = Awaited<ReturnType<Runs['find']>>;

export type Ask = ReturnType<typeof makeAgentCaller>;

export interface Question {
  agent_id: string;
  message: string;
  /** An earlier conversation with the same agent, to go on with. */
  conversation_id?: string | undefined;
  /** The channel that a new conversation is marked with. */
  transport: string;
  /** What a new conversation is held to, besides its agent's settings. */
  bound?: SparseSettings;
  /** What went into the words of the message. */
  brings?: readonly Taint[];
  /** It is waited for by a run that has a place; to wait for another could be to wait for each other. */
  beyond?: boolean;
  /** What the run is to be called, where somebody must know it beforehand. */
  run_id?: string | undefined;
  /** Told of a new conversation before anything is said in it. */
  prepare?(conversation_id: string): Promise<unknown>;
}

/** What came of it. */
export interface Asked {
  conversation_id: string;
  run_id: string;
  status: 'completed' | 'failed' | 'stopped' | 'awaiting_human_feedback';
  /** As people are shown it. */
  reply: string;
  error: RunError | null;
  /** Those that its tools have made for the reply. */
  files: readonly MessageFile[];
  usage: Usage | null;
  /** What it has read on the way. */
  brings: readonly Taint[];
}

export interface AskDeps {
  db: Database;
  conversations: Conversations;
  transcript: Transcript;
  runs: Runs;
  log: RunLog;
}

const textOf = (parts: readonly MessagePart[]) =>
  parts.flatMap((part) => (part.type === 'text' || part.type === 'handover' ? part.content : [])).join('');

/** Asks an agent on behalf of something that is no person at a screen: an MCP client, another agent. */
export function makeAgentCaller({ db, conversations, transcript, runs, log }: AskDeps) {
  /** The conversation, new or gone on with, and the run that answers in it. */
  async function begin(given: Scope, question: Question): Promise<RunRow> {
    // The answer to a request is not one of the records that are made on the way.
    const { idempotency: _, request_key: __, ...scope } = given;
    const { message: content, brings = [], beyond = false, run_id: id } = question;
    const part = { role: 'user' as const, type: 'user' as const, content, ...(brings.length > 0 && { brings }) };
    if (question.conversation_id !== undefined) {
      const row = await conversations.find(scope, question.conversation_id);
      if (row.assistant_id !== question.agent_id) throw notFound('conversation');
      await conversations.inherit(scope, row.id);
      return runs.converse(scope, row.id, [], part, { beyond, id });
    }
    const { bound } = question;
    // It has a name from the start, so that no model is asked for one.
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

  /** The reply as it stands; a run that has just begun to wait may have none yet. */
  async function replyOf(scope: Scope, run: RunRow) {
    try {
      const { parts, metadata } = await transcript.getMessage(db, scope, run.conversation_id, run.message_id);
      const said = JSON.parse(parts) as MessagePart[];
      const known = metadata ? (JSON.parse(metadata) as { usage?: Usage }) : null;
      // Its conversation knows what was read in it; where it waits, that is not noted yet.
      const { brought } = (await transcript.read(scope, run.conversation_id)).row;
      const now = said.flatMap((part) => ('brings' in part ? (part.brings ?? []) : []));
      return { said, usage: known?.usage ?? null, brings: [...new Set([...brought, ...now])] };
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not_found') return { said: [], usage: null, brings: [] };
      throw error;
    }
  }

  /**
   * Waits for a run to end, or to wait for people. A signal that says stop stops it, wherever it runs; one that says that
   * nobody listens any more ends the waiting alone.
   */
  async function settle(
    scope: Scope,
    run: RunRow,
    signal: AbortSignal,
    watch: (event: NumberedEvent) => void = () => {},
    left?: AbortSignal,
  ): Promise<Asked> {
    let ended: Pick<Asked, 'status' | 'error'> | undefined;
    const until = left ? AbortSignal.any([signal, left]) : signal;
    for await (const event of log.follow(scope.workspace_id, run.id, 0, until)) {
      watch(event);
      if (event.type === 'run-end') ended = { status: event.status, error: event.error };
      else if (event.type === 'run-pause') ended = { status: 'awaiting_human_feedback', error: null };
      else if (event.type === 'run-resume') ended = undefined;
      // It is still waiting only if nothing comes after it; what was paused and has gone on is followed.
      if (event.type === 'run-pause' && (await runs.find(scope, run.id)).status === 'awaiting_human_feedback') break;
    }
    if (!ended && !signal.aborted) left?.throwIfAborted();
    if (!ended) {
      await runs.stopRun(scope, run.id).catch(() => {});
      signal.throwIfAborted();
      throw new AppError('unavailable', 'The run could not be followed to its end');
    }
    const { said, usage, brings } = await replyOf(scope, run);
    const { conversation_id, id: run_id } = run;
    const files = said.flatMap((part) => (part.type === 'file' ? part.files : []));
    return { conversation_id, run_id, ...ended, reply: textOf(said), files, usage, brings };
  }

  return { begin, settle, find: runs.find };
}
