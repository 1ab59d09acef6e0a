import type { LoadedConversation } from '../../conversations/ports.ts';
import type { ModelCallContext } from '../../model-calls/ports.ts';
import type { RunRow } from '../store.ts';

/** The context under which the model calls of a run are recorded. */
export const placeOf = (run: RunRow, row: LoadedConversation['row']): ModelCallContext => ({
  conversation_id: run.conversation_id,
  run_id: run.id,
  agent_id: row.assistant_id,
  version_id: row.assistant_version_id,
});
