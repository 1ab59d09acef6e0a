import type { Db } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';

export interface MarkRow {
  conversation_id: string;
  pinned_at: string | null;
  archived_at: string | null;
  /** How many messages there were when the person read it. Null: never marked as read; -1: marked as unread. */
  read_count: number | null;
}

export interface MarkFilter {
  person_id: string;
  pinned: boolean | undefined;
  archived: boolean | undefined;
  unread: boolean | undefined;
}

const columns = sql`k.conversation_id, k.pinned_at, k.archived_at, k.read_count`;

export const listMarks = (db: Db, workspace_id: string, person_id: string, ids: readonly string[]) =>
  db.rows<MarkRow>(sql`
    select ${columns} from conversation_marks k
    where k.person_id = ${person_id} and k.workspace_id = ${workspace_id} and k.conversation_id = any(${[...ids]}::uuid[])`);

export const listAllMarks = (db: Db, person_id: string) =>
  db.rows<MarkRow & { workspace_id: string }>(sql`
    select k.workspace_id, ${columns} from conversation_marks k where k.person_id = ${person_id}
    order by k.conversation_id`);

export const deleteMarks = (db: Db, person_id: string) =>
  db.run(sql`delete from conversation_marks where person_id = ${person_id}`);

/** Changes the marks of a person; undefined leaves one as it is. */
export function saveMarks(
  db: Db,
  workspace_id: string,
  ids: readonly string[],
  { person_id, pinned, archived, unread }: Pick<MarkFilter, 'person_id'> & Partial<MarkFilter>,
) {
  // Pinning twice keeps the first time.
  const time = (column: Sql, value: boolean | undefined) =>
    value === undefined ? column : value ? sql`coalesce(${column}, now())` : sql`null::timestamptz`;
  const read = (kept: Sql) => (unread === undefined ? kept : unread ? sql`-1` : sql`c.message_count`);
  const nothing = sql`null::timestamptz`;
  return db.rows<MarkRow>(sql`
    insert into conversation_marks as k (person_id, workspace_id, conversation_id, pinned_at, archived_at, read_count)
    select ${person_id}, c.workspace_id, c.id, ${time(nothing, pinned)}, ${time(nothing, archived)}, ${read(sql`null::integer`)}
    from conversations c where c.workspace_id = ${workspace_id} and c.id = any(${[...ids]}::uuid[]) order by c.id
    on conflict (person_id, workspace_id, conversation_id) do update set
      pinned_at = ${time(sql`k.pinned_at`, pinned)}, archived_at = ${time(sql`k.archived_at`, archived)},
      read_count = ${unread === undefined ? sql`k.read_count` : sql`excluded.read_count`}
    returning ${columns}`);
}

/** Conditions on a conversation `c`. */
export function markConditions(workspace_id: string, { person_id, pinned, archived, unread }: MarkFilter): Sql[] {
  const own = sql`k.person_id = ${person_id} and k.workspace_id = ${workspace_id}`;
  const marked = (column: Sql) =>
    sql`c.id in (select k.conversation_id from conversation_marks k where ${own} and ${column} is not null)`;
  const either = (condition: Sql, value: boolean | undefined) =>
    value === undefined ? [] : [value ? condition : sql`not (${condition})`];
  const hasUnread = sql`c.message_count > coalesce(
    (select k.read_count from conversation_marks k where ${own} and k.conversation_id = c.id),
    case when c.person_id = ${person_id} then 0 else c.message_count end)`;
  return [
    ...either(marked(sql`k.pinned_at`), pinned),
    ...either(marked(sql`k.archived_at`), archived),
    ...either(hasUnread, unread),
  ];
}
