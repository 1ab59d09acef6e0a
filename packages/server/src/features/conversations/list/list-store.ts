import type { RunStatus } from '@atrium/contract/conversations/schema.ts';
import type { Db } from '../../../db/database.ts';
import { join, type Sql, sql } from '../../../db/sql.ts';
import { baseColumns, type ConversationRow, ownColumns, withBase } from '../store.ts';

export interface ConversationFilter {
  assistant_id: string | undefined;
  status: RunStatus | undefined;
  search: string | undefined;
  created_after: string | undefined;
  created_before: string | undefined;
  include_empty: boolean;
  /** Only conversations of this person. */
  person_id: string | undefined;
}

function matching(workspace_id: string, filter: ConversationFilter): Sql {
  const conditions = [sql`c.workspace_id = ${workspace_id}`];
  if (!filter.include_empty) conditions.push(sql`c.message_count > 0`);
  if (filter.person_id !== undefined) conditions.push(sql`c.person_id = ${filter.person_id}`);
  if (filter.assistant_id !== undefined) conditions.push(sql`c.assistant_id = ${filter.assistant_id}`);
  if (filter.status !== undefined) conditions.push(sql`c.status = ${filter.status}`);
  if (filter.search !== undefined) conditions.push(sql`position(lower(${filter.search}) in lower(c.name)) > 0`);
  if (filter.created_after !== undefined) conditions.push(sql`c.created_at >= ${filter.created_after}`);
  if (filter.created_before !== undefined) conditions.push(sql`c.created_at < ${filter.created_before}`);
  return join(conditions, sql` and `);
}

export async function listConversations(
  db: Db,
  workspace_id: string,
  filter: ConversationFilter,
  { size, offset }: { size: number; offset: number },
): Promise<{ rows: ConversationRow[]; total: number }> {
  const where = matching(workspace_id, filter);
  const [rows, count] = await Promise.all([
    db.rows<ConversationRow>(sql`
      select ${ownColumns}, ${baseColumns}
      from (select * from conversations c where ${where}
            order by last_updated_at desc, id desc limit ${size} offset ${offset}) c ${withBase}
      order by c.last_updated_at desc, c.id desc`),
    db.row<{ total: number }>(sql`select count(*) as total from conversations c where ${where}`),
  ]);
  return { rows, total: count?.total ?? 0 };
}

/** The columns of summaries: no settings, so neither the agent nor its versions are read. */
export interface SummaryRow {
  id: string;
  name: string | null;
  status: RunStatus;
  created_at: string;
  last_updated_at: string;
  is_locked: boolean;
  manual: boolean;
  assistant_id: string | null;
  channel: string | null;
  message_count: number;
}

export async function listSummaries(
  db: Db,
  workspace_id: string,
  filter: ConversationFilter,
  { size, offset }: { size: number; offset: number },
): Promise<{ rows: SummaryRow[]; total: number }> {
  const where = matching(workspace_id, filter);
  const [rows, count] = await Promise.all([
    db.rows<SummaryRow>(sql`
      select c.id, c.name, c.status, c.created_at, c.last_updated_at, c.is_locked, c.manual, c.assistant_id,
        c.chat_transport as channel, c.message_count
      from conversations c where ${where} order by last_updated_at desc, id desc limit ${size} offset ${offset}`),
    db.row<{ total: number }>(sql`select count(*) as total from conversations c where ${where}`),
  ]);
  return { rows, total: count?.total ?? 0 };
}
