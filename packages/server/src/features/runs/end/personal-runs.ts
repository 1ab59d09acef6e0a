import type { Database, Db } from '../../../db/database.ts';
import type { PersonalRecords } from '../../personal-data/ports.ts';
import { forgetWords, listRunsOf } from './personal-store.ts';

const pageSize = 500;
const first = '00000000-0000-0000-0000-000000000000';
const erased = JSON.stringify({ type: 'text', content: '[erased]' });

/**
 * What runs keep of a person's words: the message that they were asked with, the reply, streams and prompts. In conversations
 * of others the runs stay, for figures and costs. An archive has the words in the conversations.
 */
export function makePersonalRuns(deps: {
  db: Database;
  eraseMessages(
    db: Db,
    replies: readonly { workspace_id: string; conversation_id: string; id: string }[],
  ): Promise<unknown>;
  forgetPrompts(db: Db, workspace_id: string, run_ids: readonly string[]): Promise<unknown>;
}): PersonalRecords {
  const { db, eraseMessages, forgetPrompts } = deps;
  return {
    kind: 'runs',
    async *entries() {},
    async erase({ workspace_ids, actor_ids }) {
      let runs = 0;
      for (const workspace_id of workspace_ids)
        for (let after = first; ; ) {
          const page = await listRunsOf(db, workspace_id, actor_ids, after, pageSize);
          const ids = page.map(({ id }) => id);
          const last = ids.at(-1);
          if (!last) break;
          await forgetPrompts(db, workspace_id, ids);
          await eraseMessages(
            db,
            page.map(({ conversation_id, message_id }) => ({ workspace_id, conversation_id, id: message_id })),
          );
          runs += await forgetWords(db, workspace_id, ids, erased);
          after = last;
        }
      return { runs };
    },
  };
}
