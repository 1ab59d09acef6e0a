import type { GranteeKind, ShareAccess } from '@atrium/contract/conversations/share-operations.ts';
import type { Db } from '../../../db/database.ts';
import { nothing, type Sql, sql } from '../../../db/sql.ts';

export interface ShareRow {
  id: string;
  conversation_id: string;
  kind: GranteeKind;
  grantee_id: string;
  access: ShareAccess;
  created_at: string;
  created_by: string | null;
}

const columns = sql`id, conversation_id, access, created_at, created_by,
  case when person_id is not null then 'person' when role_id is not null then 'role' else 'user_group' end as kind,
  coalesce(person_id, user_group_id, role_id) as grantee_id`;

export const listShares = (db: Db, workspace_id: string, conversation_id: string) =>
  db.rows<ShareRow>(sql`
    select ${columns} from conversation_shares
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} order by id`);

/** Sharing again changes the access, and keeps who shared it first. */
export const saveShare = (
  db: Db,
  { tenant_id, workspace_id }: { tenant_id: string; workspace_id: string },
  row: Omit<ShareRow, 'created_at'>,
) => {
  const idIf = (kind: GranteeKind) => (row.kind === kind ? row.grantee_id : null);
  return db.one<ShareRow>(sql`
    insert into conversation_shares (workspace_id, conversation_id, id, tenant_id, person_id, user_group_id, role_id,
      access, created_by)
    values (${workspace_id}, ${row.conversation_id}, ${row.id}, ${tenant_id}, ${idIf('person')}, ${idIf('user_group')},
      ${idIf('role')}, ${row.access}, ${row.created_by})
    on conflict (workspace_id, conversation_id, person_id, user_group_id, role_id)
      do update set access = excluded.access
    returning ${columns}`);
};

export const deleteShare = (db: Db, workspace_id: string, conversation_id: string, id: string) =>
  db.row<ShareRow>(sql`
    delete from conversation_shares
    where workspace_id = ${workspace_id} and conversation_id = ${conversation_id} and id = ${id}
    returning ${columns}`);

/** The most that a person may do with each of these conversations by their shares; their own are left out. */
export const findAccess = (db: Db, workspace_id: string, person_id: string, ids: readonly string[]) =>
  db.rows<{ conversation_id: string; access: ShareAccess }>(sql`
    select s.conversation_id, max(s.access) as access
    from conversation_share_people s
    join conversations c on c.workspace_id = s.workspace_id and c.id = s.conversation_id
    where s.workspace_id = ${workspace_id} and s.person_id = ${person_id} and s.conversation_id = any(${[...ids]}::uuid[])
      and c.person_id is distinct from ${person_id}
    group by s.conversation_id`);

/** Selects the ids of the conversations that are shared with a person, or of those that they may write in. */
export const sharedWith = (workspace_id: string, person_id: string, access: ShareAccess = 'read'): Sql => sql`
  select s.conversation_id from conversation_share_people s
  where s.workspace_id = ${workspace_id} and s.person_id = ${person_id}
    ${access === 'write' ? sql`and s.access = 'write'` : nothing}`;

/** The people and service accounts who may read each of these conversations without conversations_read. */
export async function findReaders(db: Db, workspace_id: string, ids: readonly string[]) {
  const readers = new Map<string, Set<string>>();
  if (ids.length === 0) return readers;
  const rows = await db.rows<{ conversation_id: string; reader_id: string }>(sql`
    select distinct conversation_id, reader_id from conversation_readers
    where workspace_id = ${workspace_id} and conversation_id = any(${[...ids]}::uuid[])`);
  for (const { conversation_id, reader_id } of rows)
    readers.set(conversation_id, (readers.get(conversation_id) ?? new Set()).add(reader_id));
  return readers;
}

/** What was shared with a person by name, in all workspaces. */
export const listSharesWithPerson = (db: Db, person_id: string) =>
  db.rows<{ workspace_id: string; conversation_id: string; access: ShareAccess; created_at: string }>(sql`
    select workspace_id, conversation_id, access, created_at from conversation_shares
    where person_id = ${person_id} order by conversation_id`);
