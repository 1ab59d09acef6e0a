import type { Held } from '../conversations/transcript.ts';
import type { CallPlace } from '../models/meter.ts';
import type { RunRow } from './store.ts';

/** Where what a run's calls cost is filed. */
export const placeOf = (run: RunRow, row: Held['row']): CallPlace => ({
  conversation_id: run.conversation_id,
  run_id: run.id,
  agent_id: row.assistant_id,
  version_id: row.assistant_version_id,
});
