import type { Database } from '../../db/database.ts';
import { conflict, notFound } from '../../lib/errors.ts';
import { newId } from '../../lib/ids.ts';
import type { Scope } from '../../lib/scope.ts';
import type { Transcript } from '../conversations/transcript.ts';
import type { MessagePart } from './message-parts.ts';
import * as store from './store.ts';

export type Handover = ReturnType<typeof makeHandover>;

/** Runs that wait for a person: what the person says ends the wait, and so does whoever stops the run. */
export function makeHandover({ db, transcript }: { db: Database; transcript: Transcript }) {
  const end = (scope: Scope, conversation_id: string, status: 'completed' | 'stopped', said?: MessagePart[]) =>
    db.transaction(scope, async (tx) => {
      const { workspace_id } = scope;
      if (!(await transcript.hold(tx, workspace_id, conversation_id))) throw notFound('conversation');
      const run = await store.endWaiting(tx, workspace_id, conversation_id, status);
      if (!run) return false;
      if (said)
        await transcript.append(tx, workspace_id, conversation_id, {
          id: newId(),
          role: 'assistant',
          parts: JSON.stringify(said),
          metadata: JSON.stringify({ run_id: run.id, model: null, answered_by: scope.actor.id }),
          run_id: run.id,
        });
      await transcript.setStatus(tx, workspace_id, conversation_id, status);
      return true;
    });

  return {
    /** A person's answer in place of the agent's. */
    async answer(scope: Scope, conversation_id: string, content: string): Promise<void> {
      const part: MessagePart = { role: 'assistant', type: 'text', content, step: 1 };
      if (!(await end(scope, conversation_id, 'completed', [part])))
        throw conflict('Nobody waits for a person in this conversation', 'not_awaiting_human');
    },

    /** Nobody is to answer any more. */
    stop: (scope: Scope, conversation_id: string) => end(scope, conversation_id, 'stopped'),
  };
}
