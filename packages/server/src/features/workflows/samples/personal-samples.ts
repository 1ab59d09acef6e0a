import type { Database } from '../../../db/database.ts';
import type { DataSubject, PersonalRecords } from '../../personal-data/ports.ts';
import { deleteSamplesNaming, listSamplesNaming } from './sample-store.ts';

/** Samples of workflow steps that come from a person's runs or have the person's id in their values. */
export function makePersonalSamples({ db }: { db: Database }): PersonalRecords {
  async function* linesOf({ workspace_ids, actor_ids }: DataSubject, count: () => void) {
    for (const workspace_id of workspace_ids)
      for (const { workflow_id, node_id, outputs, saved_at } of await listSamplesNaming(db, workspace_id, actor_ids)) {
        count();
        yield `${JSON.stringify({ workflow_id, node_id, outputs: JSON.parse(outputs), saved_at })}\n`;
      }
  }
  return {
    kind: 'workflow_samples',
    async *entries(person, count) {
      yield { name: 'workflow-samples.ndjson', content: linesOf(person, count) };
    },
    async erase({ workspace_ids, actor_ids }) {
      let workflow_samples = 0;
      for (const workspace_id of workspace_ids)
        workflow_samples += await deleteSamplesNaming(db, workspace_id, actor_ids);
      return { workflow_samples };
    },
  };
}
