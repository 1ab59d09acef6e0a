import type { WorkflowRun } from '@atrium/contract/workflows/schema.ts';
import type { RunRow } from './run-store.ts';
import { publicFields } from './start-runs.ts';

/** Messages of errors often repeat a value that the step was given. */
const hiddenMessage = 'Hidden: another person started the run, and messages may repeat its inputs';

/** A failed run of another person for those who may edit the workflow: that it failed, where and why. */
export function outlineOf(row: RunRow): WorkflowRun {
  return {
    ...publicFields(row),
    ...{ input: {}, output: null, progress_details: null, pinned_outputs: null, callback_url: null },
    error: row.error && { ...row.error, message: hiddenMessage },
    hidden: 'not_yours',
  };
}
