import type { Database } from '../../../db/database.ts';
import type { DataSubject, PersonalRecords } from '../../personal-data/ports.ts';
import { deleteCasesOf, forgetStarters, listCasesOf } from './sourced-case-store.ts';

type Conversations = AsyncIterable<{ workspace_id: string; id: string }>;

/** The cases of evaluations that are made of words of a person and are not released, and the runs that the person started. */
export function makePersonalCases(deps: {
  db: Database;
  /** The conversations that have words of the person. */
  conversationsOf(person: DataSubject): Conversations;
}): PersonalRecords {
  const { db, conversationsOf } = deps;

  /** Conversations that were given before are left out. */
  async function* distinct(conversations: Conversations): Conversations {
    const seen = new Set<string>();
    for await (const { workspace_id, id } of conversations) {
      if (seen.has(id)) continue;
      seen.add(id);
      yield { workspace_id, id };
    }
  }

  async function* linesOf(person: DataSubject, count: () => void) {
    for await (const { workspace_id, id } of distinct(conversationsOf(person)))
      for (const row of await listCasesOf(db, workspace_id, [id])) {
        count();
        yield `${JSON.stringify(row)}\n`;
      }
  }

  return {
    kind: 'evaluation_cases',
    async *entries(person, count) {
      yield { name: 'evaluation-cases.ndjson', content: linesOf(person, count) };
    },
    async erase(person) {
      let evaluation_cases = 0;
      for await (const { workspace_id, id } of distinct(conversationsOf(person)))
        evaluation_cases += await deleteCasesOf(db, workspace_id, [id]);
      const { workspace_ids, actor_ids } = person;
      return { evaluation_cases, evaluation_runs: await forgetStarters(db, workspace_ids, actor_ids) };
    },
  };
}
