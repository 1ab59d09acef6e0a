import { AppError, conflict, notFound } from '@atrium/contract/errors.ts';
import type { MessageRequest, RegenerateRequest } from '@atrium/contract/runs/message-request.ts';
import type { BranchQuery, IfRunning, RunStarted, StreamFormat } from '@atrium/contract/runs/schema.ts';
import type { StreamRequest } from '@atrium/contract/runs/transport-request.ts';
import type { Database } from '../../../db/database.ts';
import { RawAnswer } from '../../../lib/responses/raw-answer.ts';
import { sseAnswer } from '../../../lib/responses/sse.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { Approvals } from '../../approvals/service.ts';
import type { Transcript } from '../../conversations/ports.ts';
import type { Conversations } from '../../conversations/service.ts';
import type { MessagePart } from '../../messages/ports.ts';
import { dropHiddenParts, hiddenPartsFor } from '../../messages/service.ts';
import type { RunStreams } from '../dialects/run-streams.ts';
import type { ResumePoint } from '../ports.ts';
import type { Runs } from '../service.ts';
import { type ChatMessage, chatMessages } from './chat-messages.ts';
import type { Begun } from './start-once.ts';

export type Turns = ReturnType<typeof makeTurns>;

const streamHeaders = (format: StreamFormat): Record<string, string> =>
  format === 'ui' || format === 'vercel' ? { 'x-vercel-ai-ui-message-stream': 'v1' } : {};

const absent = (error: unknown): undefined => {
  if (!(error instanceof AppError && error.kind === 'not_found')) throw error;
};

/** The ways to follow an agent run: wait for the answer, stream it, or join it. All of them read the same log. */
export function makeTurns(options: {
  db: Database;
  runs: Runs;
  streams: RunStreams;
  conversations: Conversations;
  transcript: Transcript;
  approvals: Approvals;
}) {
  const { db, runs, streams, conversations, transcript } = options;

  /** A repeated request does not wait with the first one: it is answered that the first still runs. */
  async function settle(scope: Scope, { run, joined }: Begun): Promise<void> {
    if (joined && run.finished_at === null && run.status !== 'awaiting_human_feedback')
      throw conflict('The first request with this Idempotency-Key is still running', 'idempotency_key_running');
    await runs.settled(scope, run);
  }

  async function whole(scope: Scope, conversation_id: string, begun: Begun) {
    await settle(scope, begun);
    return conversations.get(scope, conversation_id);
  }

  /** The answer on a new branch: streamed, begun, or the conversation when it is given. */
  async function answerBranch(scope: Scope, id: string, begun: Begun, { format, wait }: BranchQuery) {
    if (format !== undefined)
      return sseAnswer(await streams.ofConversation(scope, begun, format), { headers: streamHeaders(format) });
    if (wait) return whole(scope, id, begun);
    const { id: run_id, conversation_id, user_message_id, message_id } = begun.run;
    const started: RunStarted = { run_id, conversation_id, user_message_id, message_id };
    return new RawAnswer(JSON.stringify(started), { 'content-type': 'application/json; charset=utf-8' }, 202);
  }

  /** Stores decisions and streams the events after the pause; the client has the events before it. */
  async function decided(
    scope: Scope,
    id: string,
    approvals: Required<StreamRequest>['approvals'],
    format: StreamFormat,
  ) {
    const run = await runs.current(scope, id);
    if (!run) throw notFound('approval');
    const before = await runs.pausedAt(run);
    for (const { id: approval, ...decision } of approvals ?? [])
      await options.approvals.decide(scope, id, approval, decision).catch((error: unknown) => {
        // Another request has decided first; its decision counts.
        if (!(error instanceof AppError && error.code === 'approval_answered')) throw error;
      });
    return sseAnswer(await streams.after(scope, run, format, before), { headers: streamHeaders(format) });
  }

  return {
    send: async (scope: Scope, id: string, request: MessageRequest, if_running: IfRunning) =>
      whole(scope, id, await runs.send(scope, id, request, if_running)),

    async chat(scope: Scope, id: string, request: MessageRequest, if_running: IfRunning) {
      const begun = await runs.send(scope, id, request, if_running);
      await settle(scope, begun);
      const { run } = begun;
      // Throws not_found when the conversation was deleted meanwhile; an unfinished run has no reply yet.
      const { settings } = await transcript.read(scope, id);
      const reply = await transcript.getMessage(db, scope, id, run.message_id).catch(absent);
      const hidden = hiddenPartsFor(scope, settings);
      const parts: MessagePart[] = reply ? JSON.parse(dropHiddenParts(reply.parts, hidden)) : [];
      const metadata: Record<string, unknown> | null = reply?.metadata ? JSON.parse(reply.metadata) : null;
      const messages: ChatMessage[] = chatMessages(parts, {
        timestamp: reply?.created_at ?? run.created_at,
        run_id: run.id,
        metadata,
      });
      const { status, error } = await runs.get(scope, run.id);
      return { id: run.message_id, parts: messages, status, error };
    },

    async stream(
      scope: Scope,
      id: string,
      { approvals, ...request }: StreamRequest,
      { format, if_running }: { format?: StreamFormat; if_running: IfRunning },
    ) {
      if (approvals) return decided(scope, id, approvals, format);
      const begun = await runs.send(scope, id, request, if_running);
      return sseAnswer(await streams.ofConversation(scope, begun, format), { headers: streamHeaders(format) });
    },

    events: async (scope: Scope, id: string, format: StreamFormat, point: ResumePoint) =>
      sseAnswer(await streams.joined(scope, id, format, point), { headers: streamHeaders(format) }),

    runEvents: async (scope: Scope, run_id: string, format: StreamFormat, point: ResumePoint) =>
      sseAnswer(await streams.ofRun(scope, run_id, format, point), { headers: streamHeaders(format) }),

    async stop(scope: Scope, id: string) {
      const run = await runs.stop(scope, id);
      if (run) await runs.settled(scope, run);
      return conversations.get(scope, id);
    },

    /** Stops the answer for a guest; a run that waits for people of the workspace keeps waiting. */
    async interrupt(scope: Scope, id: string) {
      const { row } = await transcript.read(scope, id);
      const run = row.status === 'awaiting_human_feedback' ? undefined : await runs.stop(scope, id);
      if (run) await runs.settled(scope, run);
    },

    human: options.approvals.say,

    edit: async (scope: Scope, id: string, message_id: string, content: string, query: BranchQuery) =>
      answerBranch(scope, id, await runs.edit(scope, id, message_id, content), query),

    regenerate: async (scope: Scope, id: string, message_id: string, request: RegenerateRequest, query: BranchQuery) =>
      answerBranch(scope, id, await runs.regenerate(scope, id, message_id, request), query),

    async retry(scope: Scope, run_id: string) {
      const { conversation_id, user_message_id } = await runs.find(scope, run_id);
      const { run } = await runs.regenerate(scope, conversation_id, user_message_id);
      return runs.get(scope, run.id);
    },
  };
}
