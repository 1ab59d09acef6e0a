import type { Database } from '../../../db/database.ts';
import type { DataSubject, PersonalRecords } from '../../personal-data/ports.ts';
import type { SealedMemories } from './sealed-memories.ts';
import { deleteAboutPerson, listAboutPerson } from './store.ts';

const pageSize = 200;
const first = '00000000-0000-0000-0000-000000000000';

/** What agents remember about a person. */
export function makePersonalMemories(deps: { db: Database; sealed: Pick<SealedMemories, 'open'> }): PersonalRecords {
  const { db, sealed } = deps;

  async function* linesOf({ workspace_ids, person_id }: DataSubject, count: () => void) {
    for (let after = first; ; ) {
      const page = await listAboutPerson(db, workspace_ids, person_id, after, pageSize);
      for (const row of page) {
        count();
        yield `${JSON.stringify(await sealed.open(row))}\n`;
      }
      const last = page.at(-1);
      if (!last) return;
      after = last.id;
    }
  }

  return {
    kind: 'memories',
    async *entries(person, count) {
      yield { name: 'memories.ndjson', content: linesOf(person, count) };
    },
    erase: async ({ workspace_ids, person_id }) => ({
      memories: await deleteAboutPerson(db, workspace_ids, person_id),
    }),
  };
}
