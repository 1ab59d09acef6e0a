import type { Database } from '../../db/database.ts';
import type { DataSubject, PersonalRecords } from '../personal-data/ports.ts';
import { deleteMarksOf, listMarksOf } from './mark-store.ts';

const pageSize = 500;
const first = '00000000-0000-0000-0000-000000000000';

/** What a person thought of the results of evaluations. */
export function makePersonalMarks({ db }: { db: Database }): PersonalRecords {
  async function* linesOf({ workspace_ids, actor_ids }: DataSubject, count: () => void) {
    for (let after = first; ; ) {
      const page = await listMarksOf(db, workspace_ids, actor_ids, after, pageSize);
      for (const row of page) {
        count();
        yield `${JSON.stringify(row)}\n`;
      }
      const last = page.at(-1);
      if (!last) return;
      after = last.id;
    }
  }
  return {
    kind: 'evaluation_marks',
    async *entries(person, count) {
      yield { name: 'evaluation-marks.ndjson', content: linesOf(person, count) };
    },
    erase: async ({ workspace_ids, actor_ids }) => ({
      evaluation_marks: await deleteMarksOf(db, workspace_ids, actor_ids),
    }),
  };
}
