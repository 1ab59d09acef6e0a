import type { Database } from '../../../db/database.ts';
import type { DataSubject, PersonalRecords } from '../../personal-data/ports.ts';
import { forgetActor, listChangesOf } from './history-store.ts';

const pageSize = 500;
const first = '00000000-0000-0000-0000-000000000000';

/** The changes of rows that a person made. The rows belong to the workspace: they stay, without the person's id. */
export function makePersonalTableChanges({ db }: { db: Database }): PersonalRecords {
  async function* linesOf({ workspace_ids, actor_ids }: DataSubject, count: () => void) {
    for (let after = first; ; ) {
      const page = await listChangesOf(db, workspace_ids, actor_ids, after, pageSize);
      for (const change of page) {
        count();
        yield `${JSON.stringify(change)}\n`;
      }
      const last = page.at(-1);
      if (!last) return;
      after = last.id;
    }
  }
  return {
    kind: 'table_changes',
    async *entries(person, count) {
      yield { name: 'table-changes.ndjson', content: linesOf(person, count) };
    },
    erase: async ({ workspace_ids, actor_ids }) => ({ table_changes: await forgetActor(db, workspace_ids, actor_ids) }),
  };
}
