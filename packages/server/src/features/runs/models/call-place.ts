import type { LoadedConversation } from '../../conversations/ports.ts';
import type { ModelCallContext } from '../../model-calls/ports.ts';
import type { RunRow } from '../store.ts';

/** The context under which the model calls of a run are recorded. */
export function placeOf(run: RunRow, row: LoadedConversation['row'], accepted?: Promise<void>): ModelCallContext {
  const place: ModelCallContext = {
    conversation_id: run.conversation_id,
    run_id: run.id,
    agent_id: row.assistant_id,
    version_id: row.assistant_version_id,
    accepted,
  };
  const forgetCommit = () => {
    place.accepted = undefined;
  };
  // Calls after the commit do not wait for a promise. Without a commit, it stays and rejects.
  accepted?.then(forgetCommit, () => {});
  return place;
}
