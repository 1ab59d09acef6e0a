import type { Database } from '../../db/database.ts';
import type { DataSubject, PersonalRecords } from '../personal-data/ports.ts';
import { deleteFeedbackOf, listFeedbackOf } from './store.ts';

const pageSize = 500;
const first = '00000000-0000-0000-0000-000000000000';

/** The feedback that a person gave. Figures that were made of it stay: they name nobody. */
export function makePersonalFeedback({ db }: { db: Database }): PersonalRecords {
  async function* linesOf({ workspace_ids, actor_ids }: DataSubject, count: () => void) {
    for (let after = first; ; ) {
      const page = await listFeedbackOf(db, workspace_ids, actor_ids, after, pageSize);
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
    kind: 'feedback',
    async *entries(person, count) {
      yield { name: 'feedback.ndjson', content: linesOf(person, count) };
    },
    erase: async ({ workspace_ids, actor_ids }) => ({ feedback: await deleteFeedbackOf(db, workspace_ids, actor_ids) }),
  };
}
