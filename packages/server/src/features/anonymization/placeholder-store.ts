import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { parseStored } from '../../lib/json/parse-stored.ts';
import type { Keyring } from '../keyring/service.ts';
import type { PlaceholderStore } from './anonymizer.ts';
import type { PlaceholderEntry } from './placeholders.ts';

export const placeholdersPurpose = (conversation_id: string) => `placeholders\0${conversation_id}`;

/** The placeholders of one conversation. They are sealed, since their values are what must stay private. */
export function makePlaceholderStore(
  { db, keyring }: { db: Database; keyring: Keyring },
  workspace_id: string,
  conversation_id: string,
): PlaceholderStore {
  return {
    async load() {
      const row = await db.row<{ sealed: string }>(sql`
        select sealed from conversation_placeholders
        where workspace_id = ${workspace_id} and conversation_id = ${conversation_id}`);
      if (!row) return { entries: [], box: undefined };
      const text = await keyring.open(workspace_id, placeholdersPurpose(conversation_id), row.sealed);
      return { entries: parseStored<PlaceholderEntry[]>(text), box: row.sealed };
    },

    /** Sealing is randomized, so the loaded box identifies the version. */
    async keep(entries, before) {
      const box = await keyring.seal(workspace_id, placeholdersPurpose(conversation_id), JSON.stringify(entries));
      const kept = await db.row(
        before === undefined
          ? sql`
            insert into conversation_placeholders (workspace_id, conversation_id, sealed)
            values (${workspace_id}, ${conversation_id}, ${box}) on conflict do nothing returning 1`
          : sql`
            update conversation_placeholders set sealed = ${box}
            where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and sealed = ${before}
            returning 1`,
      );
      return kept === undefined ? undefined : box;
    },
  };
}

/** For a request outside of any conversation; kept in memory. */
export const makeTemporaryPlaceholderStore = (): PlaceholderStore => ({
  load: async () => ({ entries: [], box: undefined }),
  keep: async () => 'passing',
});
