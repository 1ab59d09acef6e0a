import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { type ConversationRow, type NewConversation, storedName } from '../store.ts';

type InsertedConversation = Omit<ConversationRow, 'base_settings' | 'lock_settings'> & { row_version: string };

/** New conversations that share a statement: those without lists of their own. */
export type UsualConversation = NewConversation & { workspace_id: string };

export const isUsual = (row: NewConversation): boolean =>
  !row.channel_ref &&
  !row.charged_to &&
  !row.unlocked?.length &&
  !row.shaped_by?.length &&
  row.restricted_settings.length === 0;

/** The columns that the database fills. */
const unfilled = {
  status: 'queued' as const,
  ...{ manual: false, channel_ref: null, is_locked: false, lock_message: null, message_count: 0 },
  ...{ tokens_used: 0, tokens_reserved: 0, charged_to: null, inherits: null, summarized: false, public_token: null },
  ...{ public_access_expires_at: null, public_access_read_only: false },
};

/** Stores several conversations in one statement: their rows, without the settings of their agents. */
export async function insertConversations(db: Db, rows: readonly UsualConversation[]): Promise<InsertedConversation[]> {
  const etag_ms = Date.now();
  const of = <T>(value: (row: UsualConversation) => T) => rows.map(value);
  const stored = await db.rows<{ id: string; created_at: string; row_version: string }>(sql`
    insert into conversations as c (workspace_id, id, user_id, api_key_id, created_by, person_id, owner_id, delivery_id, name, assistant_id,
      assistant_version_id, preview, chat_transport, deployment_id, settings, variables, etag_ms)
    select created.*, ${etag_ms}::bigint from unnest(${of((row) => row.workspace_id)}::uuid[], ${of((row) => row.id)}::uuid[],
      ${of((row) => row.user_id)}::uuid[], ${of((row) => row.api_key_id)}::uuid[], ${of((row) => row.created_by)}::uuid[],
      ${of((row) => row.person_id)}::uuid[], ${of((row) => row.owner_id)}::uuid[], ${of((row) => row.delivery_id ?? null)}::uuid[],
      ${of((row) => storedName(row.workspace_id, row.id, row.name))}::text[], ${of((row) => row.assistant_id)}::uuid[],
      ${of((row) => row.assistant_version_id)}::uuid[], ${of((row) => row.preview)}::boolean[],
      ${of((row) => row.chat_transport ?? null)}::text[], ${of((row) => row.deployment_id ?? null)}::uuid[],
      ${of((row) => row.settings)}::text[], ${of((row) => row.variables)}::text[]) as created
    returning c.id, c.created_at, c.xmin::text as row_version`);
  const versions = new Map(stored.map((row) => [row.id, row]));
  return rows.map(({ workspace_id: group_id, variables: _, restricted_settings: __, shaped_by: ___, ...row }) => {
    const { created_at = '', row_version = '' } = versions.get(row.id) ?? {};
    const created_by = row.created_by ?? row.api_key_id ?? row.deployment_id ?? null;
    return {
      ...row,
      ...unfilled,
      ...{ group_id, created_by, created_at, last_updated_at: created_at, etag: `${etag_ms}-0`, row_version },
      ...{ delivery_id: row.delivery_id ?? null, chat_transport: row.chat_transport ?? null },
      ...{ deployment_id: row.deployment_id ?? null, todos: [], tags: [], brought: [], unlocked: [] },
    };
  });
}
