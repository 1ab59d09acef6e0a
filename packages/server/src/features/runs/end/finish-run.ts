import type { MessageMetadata, RunEvent } from '@atrium/contract/runs/events.ts';
import type { Sql } from '../../../db/sql.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { RunRequests } from '../../approvals/ports.ts';
import type { Transcript } from '../../conversations/ports.ts';
import type { Reply } from '../../messages/ports.ts';
import type { RunEnding } from '../log/end-run-store.ts';
import { taintOfEvents } from '../loop/taint.ts';
import type { Alongside, RunLog } from '../ports.ts';
import { isStopRequested, type RunRow } from '../store.ts';

/** All requests were answered, or the run was stopped, before it could pause: nothing was stored. */
class NoNeedToWait extends Error {
  readonly why: 'answered' | 'stopped';
  constructor(why: 'answered' | 'stopped') {
    super(why);
    this.why = why;
  }
}

interface Written {
  reply: Pick<Reply, 'parts' | 'metadata'>;
  /** The message is in the conversation already. */
  stored: boolean;
  seen: readonly RunEvent[];
}

/** The reply, the run's end and its last events are there together or not at all: they are one statement. */
export function makeRunFinisher(options: {
  log: RunLog;
  transcript: Transcript;
  requests: Pick<RunRequests, 'hasPending'>;
  alongside(run: RunRow, events: readonly RunEvent[], seen: readonly RunEvent[]): Alongside | undefined;
  /** Its figures, as a part of the statement that ends it. */
  fact(run: RunRow, reply: Written['reply'], status: string): Sql;
}) {
  const { log, transcript } = options;

  const messageOf = (run: RunRow, { parts, metadata }: Written['reply']) => ({
    id: run.message_id,
    role: 'assistant' as const,
    parts: JSON.stringify(parts),
    metadata: JSON.stringify(metadata),
    run_id: run.id,
  });

  return {
    async finish(_: Scope, run: RunRow, { reply, stored, seen }: Written, last: RunEvent[]): Promise<void> {
      const end = last.find((event) => event.type === 'run-end' || event.type === 'run-pause');
      if (!end) throw new Error('A run must say how it ended');
      // One that is handed over to a person is not over, but its reply is.
      const over = end.type === 'run-end' ? end : { status: 'awaiting_human_feedback' as const, error: null };
      const finished_at = end.type === 'run-end' ? new Date().toISOString() : null;
      const { metadata } = reply;
      const tokens = metadata ? metadata.usage.input_tokens + metadata.usage.output_tokens : 0;
      // Without metadata a person answered from the beginning, and there is no agent reply to store. The taint of the
      // run applies to later runs; none can start while it waits for people.
      const message = metadata ? { ...messageOf(run, reply), brought: taintOfEvents(seen) } : null;
      const where = { run_id: run.id, status: over.status, tokens, stored };
      const ending: RunEnding = {
        ...{ run, status: over.status, error: over.error, finished_at },
        reply: transcript.replyStatement(run.group_id, run.conversation_id, message, where),
        fact: options.fact(run, reply, over.status),
      };
      await log.append(run.group_id, run.id, last, options.alongside(run, last, seen), ending);
    },

    /**
     * Suspends a run that waits for people and stores its output so far. Checks for answers again under the lock of the
     * conversation, which every answer takes: a run must not wait for an answer that has just arrived.
     */
    async pause(_: Scope, run: RunRow, written: Omit<Written, 'seen'> & { metadata: MessageMetadata }) {
      const { group_id, id, conversation_id } = run;
      const message = messageOf(run, { parts: written.reply.parts, metadata: written.metadata });
      // The usage was charged when the run gave back its reservation.
      const where = {
        ...{ run_id: id, status: 'awaiting_human_feedback' as const, tokens: null, stored: written.stored },
      };
      const reply = transcript.replyStatement(group_id, conversation_id, message, where);
      const ending: RunEnding = { run, status: where.status, error: null, finished_at: null, reply, fact: null };
      const check: Alongside = async (tx) => {
        if (await isStopRequested(tx, group_id, id)) throw new NoNeedToWait('stopped');
        if (!(await options.requests.hasPending(tx, group_id, id))) throw new NoNeedToWait('answered');
      };
      try {
        await log.append(group_id, id, [{ type: 'run-pause' }], check, ending);
        return 'paused' as const;
      } catch (error) {
        if (error instanceof NoNeedToWait) return error.why;
        throw error;
      }
    },
  };
}
