import type { Database, Db } from '../../db/database.ts';
import type { PersonalRecords } from '../personal-data/ports.ts';
import { forgetDecider, listDecisionsOf } from './workflow-approval-store.ts';

const erased = '[erased]';

/** Decisions about steps of workflows stay, without the name and the note of the person, also in the runs that went on with them. */
export function makePersonalApprovals(deps: {
  db: Database;
  /** Puts a text in place of these texts wherever a run has one of them as a whole value. */
  replaceInRun(db: Db, workspace_id: string, run_id: string, texts: readonly string[], text: string): Promise<unknown>;
}): PersonalRecords {
  const { db, replaceInRun } = deps;
  return {
    kind: 'approvals',
    async *entries() {},
    async erase({ workspace_ids, actor_ids }) {
      let kept_approvals = 0;
      for (const workspace_id of workspace_ids)
        for (const { id, run_id, note, decided_by } of await listDecisionsOf(db, workspace_id, actor_ids)) {
          // The node logs the note, too.
          const texts = [decided_by, ...(note ? [note, `Note: ${note}`] : [])].filter((text) => text !== null);
          // The approval last: an erasure that begins again finds the run by it.
          await replaceInRun(db, workspace_id, run_id, texts, erased);
          kept_approvals += await forgetDecider(db, workspace_id, id, erased);
        }
      return { kept_approvals };
    },
  };
}
