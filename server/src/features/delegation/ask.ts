import type { Database } from '../../db/database.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import type { Scope } from '../../lib/scope.ts';
import type { ConversationCreate } from '../conversations/schema.ts';
import type { Conversations } from '../conversations/service.ts';
import type { Transcript } from '../conversations/transcript.ts';
import type { RunError, RunEvent, Usage } from '../runs/events.ts';
import type { RunLog } from '../runs/log.ts';
import type { MessagePart } from '../runs/message-parts.ts';
import type { Runs } from '../runs/service.ts';
import { firstMessageTitle } from '../runs/titles.ts';

type RunRow = Awaited<ReturnType<Runs['find']>>;

export type Ask = ReturnType<typeof makeAsk>;

export interface Question {
  agent_id: string;
  message: string;
  /** An earlier conversation with the same agent, to go on with. */
  conversation_id?: string | undefined;
  /** The channel that a new conversation is marked with. */
  transport: string;
  settings?: ConversationCreate['settings'];
}

/** What came of it. */
export interface Asked {
  conversation_id: string;
  run_id: string;
  status: 'completed' | 'failed' | 'stopped' | 'awaiting_human_feedback';
  /** As people are shown it. */
  reply: string;
  error: RunError | null;
  usage: Usage | null;
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
export function makeAsk({ db, conversations, transcript, runs, log }: AskDeps) {
  /** The conversation, new or gone on with, and the run that answers in it. */
  async function begin(given: Scope, question: Question): Promise<RunRow> {
    // The answer to a request is not one of the records that are made on the way.
    const { idempotency: _, request_key: __, ...scope } = given;
    const part = { role: 'user', type: 'user', content: question.message } as const;
    if (question.conversation_id !== undefined) {
      const row = await conversations.find(scope, question.conversation_id);
      if (row.assistant_id !== question.agent_id) throw notFound('conversation');
      return runs.converse(scope, row.id, [], part, { beyond: true });
    }
    const { settings } = question;
    // It has a name from the start, so that no model is asked for one.
    const create = { name: firstMessageTitle(question.message), preview: false, ...(settings && { settings }) };
    const { row } = await conversations.create(scope, question.agent_id, create, question.transport);
    try {
      return await runs.converse(scope, row.id, [], part, { beyond: true });
    } catch (error) {
      await conversations.remove(scope, row.id);
      throw error;
    }
  }

  /** Waits for a run to end. A signal that says stop stops it, wherever it runs. */
  async function settle(
    scope: Scope,
    run: RunRow,
    signal: AbortSignal,
    watch: (event: RunEvent) => void = () => {},
  ): Promise<Asked> {
    let end: (RunEvent & { type: 'run-end' }) | undefined;
    for await (const event of log.follow(scope.workspace_id, run.id, 0, signal)) {
      if (event.type === 'run-end') end = event;
      watch(event);
    }
    if (!end) {
      await runs.stopRun(scope, run.id).catch(() => {});
      signal.throwIfAborted();
      throw new AppError('unavailable', 'The run could not be followed to its end');
    }
    const message = await transcript.message(db, scope, run.conversation_id, run.message_id);
    const metadata = message.metadata ? (JSON.parse(message.metadata) as { usage?: Usage }) : null;
    return {
      ...{ conversation_id: run.conversation_id, run_id: run.id, status: end.status, error: end.error },
      reply: textOf(JSON.parse(message.parts) as MessagePart[]),
      usage: metadata?.usage ?? null,
    };
  }

  return { begin, settle };
}
