import { AppError, conflict } from '@atrium/contract/errors.ts';
import type { RunEvent } from '@atrium/contract/runs/events.ts';
import type { Db } from '../../../db/database.ts';
import type { Sql } from '../../../db/sql.ts';
import { newId } from '../../../lib/ids.ts';
import { actorId, namesOf, type Scope } from '../../../lib/scope.ts';
import type { Handover, RunRequests } from '../../approvals/ports.ts';
import type { Transcript } from '../../conversations/ports.ts';
import type { MessagePart } from '../../messages/ports.ts';
import { endPausedRun } from '../log/run-end-store.ts';
import type { RunLog } from '../ports.ts';
import { findActiveRun } from '../store.ts';

const nobodyWaits = () => conflict('Nobody waits for a person in this conversation', 'not_awaiting_human');

const absent = (error: unknown): undefined => {
  if (!(error instanceof AppError && error.kind === 'not_found')) throw error;
};

/**
 * Runs that a person answers in place of the agent: the person's answer or a stop ends the run. Each method works in
 * the caller's transaction, which locks the conversation.
 */
export function makeHandover(options: {
  transcript: Transcript;
  requests: Pick<RunRequests, 'hasPending'>;
  log: Pick<RunLog, 'tell'>;
  /** The analytics fact for a person's message. */
  fact(scope: Scope, conversation_id: string, message_id: string): Sql;
}): Handover {
  const { transcript, log } = options;
  return {
    /** A person's answer in place of the agent's. Answers the run that it ended. */
    async answer(tx: Db, scope: Scope, conversation_id: string, content: string): Promise<string> {
      const { workspace_id, actor } = scope;
      const run = await findActiveRun(tx, workspace_id, conversation_id);
      if (run?.status !== 'awaiting_human_feedback') throw nobodyWaits();
      if (await options.requests.hasPending(tx, workspace_id, run.id))
        throw conflict('The agent waits for an approval and not for an answer', 'awaiting_approval');
      // Without any output of the agent, the person's text becomes the reply.
      const reply = await transcript.getMessage(tx, scope, conversation_id, run.message_id).catch(absent);
      const message_id = reply ? newId() : run.message_id;
      const part: MessagePart = { role: 'assistant', type: 'text', content, step: 1 };
      await transcript.append(tx, workspace_id, conversation_id, {
        id: message_id,
        role: 'assistant',
        parts: JSON.stringify([part]),
        metadata: JSON.stringify({ run_id: run.id, model: null, answered_by: actor.id }),
        run_id: run.id,
        written_by: actorId(scope),
      });
      await transcript.addShapers(tx, workspace_id, conversation_id, namesOf(actor));
      await tx.run(options.fact(scope, conversation_id, message_id));
      const said: RunEvent[] = [
        { type: 'human-answer', step: 0, id: null, call_id: null, message_id, content, by: actor.id },
        { type: 'run-end', status: 'completed', error: null },
      ];
      await endPausedRun(tx, workspace_id, run.id, 'completed', said);
      await transcript.setStatus(tx, workspace_id, conversation_id, 'completed');
      return run.id;
    },

    /** Ends the run without an answer. Undefined when it does not wait. */
    async stop(tx: Db, workspace_id: string, run_id: string): Promise<string | undefined> {
      const end = { type: 'run-end', status: 'stopped', error: null } as const;
      const run = await endPausedRun(tx, workspace_id, run_id, 'stopped', [end]);
      if (!run) return undefined;
      await transcript.setStatus(tx, workspace_id, run.conversation_id, 'stopped');
      return run.id;
    },

    /** Notifies the streams of the run; to be called after the commit. */
    tell: log.tell,
  };
}
