import type { NotificationKind } from '@atrium/contract/notifications/kinds.ts';
import type { Notification, NotificationQuery } from '@atrium/contract/notifications/schema.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { Db } from '../../db/database.ts';
import { readPage } from '../../db/read-page.ts';
import { nothing, sql } from '../../db/sql.ts';

export interface NotificationRow {
  id: string;
  group_id: string;
  kind: NotificationKind;
  target_kind: string | null;
  target_id: string | null;
  parent_kind: string | null;
  parent_id: string | null;
  actor_id: string | null;
  subject: Notification['subject'];
  read_at: string | null;
  created_at: string;
}

export type NewNotification = Omit<NotificationRow, 'group_id' | 'subject' | 'read_at' | 'created_at'> & {
  person_id: string;
  needs: readonly string[];
  dedupe_key: string;
  mail: boolean;
};

/** The agent or workflow that it is about, named with the permissions that the person holds now. */
const subject = sql`coalesce(subject_of_record(n.workspace_id, r.permissions, n.parent_kind, n.parent_id),
  subject_of_record(n.workspace_id, r.permissions, n.target_kind, n.target_id)) as subject`;
const ownColumns = sql`n.id, n.workspace_id as group_id, n.kind, n.target_kind, n.target_id, n.parent_kind, n.parent_id, n.actor_id,
  n.read_at, n.created_at`;
const columns = sql`${ownColumns}, ${subject}`;

/** Only of workspaces that the person is in now, and with a permission that they hold now. */
const seen = (person_id: string) => sql`notifications n join rights_of_person(${person_id}) r
  on r.workspace_id = n.workspace_id and r.permissions && n.needs and n.person_id = ${person_id}`;

/** Stores those that are new, for people who may see them; the ids of these. */
export const insertNotifications = (tx: Db, workspace_id: string, rows: readonly NewNotification[]) =>
  tx.rows<{ id: string; person_id: string }>(sql`
    insert into notifications (id, tenant_id, workspace_id, person_id, kind, target_kind, target_id, parent_kind, parent_id,
      actor_id, needs, dedupe_key, mail)
    select x.id, r.tenant_id, r.workspace_id, x.person_id, x.kind, x.target_kind, x.target_id, x.parent_kind, x.parent_id,
      x.actor_id, array(select json_array_elements_text(x.needs)), x.dedupe_key, x.mail
    from json_to_recordset(${JSON.stringify(rows)}::json) as x (id uuid, person_id uuid, kind text, target_kind text,
      target_id text, parent_kind text, parent_id text, actor_id text, needs json, dedupe_key text, mail boolean)
    cross join lateral rights_of_person(x.person_id) r
    where r.workspace_id = ${workspace_id} and r.permissions && array(select json_array_elements_text(x.needs))
    on conflict (person_id, dedupe_key) do nothing
    returning id, person_id`);

export async function listNotifications(
  db: Db,
  person_id: string,
  window: PageWindow,
  filter: Pick<NotificationQuery, 'unread' | 'kind' | 'created_after' | 'created_before'>,
) {
  const { unread, kind, created_after, created_before } = filter;
  const where = sql`true
    ${unread === undefined ? nothing : unread ? sql`and n.read_at is null` : sql`and n.read_at is not null`}
    ${kind === undefined ? nothing : sql`and n.kind = ${kind}`}
    ${created_after === undefined ? nothing : sql`and n.created_at >= ${created_after}`}
    ${created_before === undefined ? nothing : sql`and n.created_at < ${created_before}`}`;
  const list = { id: sql`n.id`, created_at: sql`n.created_at` };
  return readPage<NotificationRow>(db, { columns, from: seen(person_id), where, list, window });
}

export const countUnread = async (db: Db, person_id: string, most: number) =>
  (
    await db.one<{ unread: number }>(sql`
      select count(*) as unread from (
        select from ${seen(person_id)} where n.read_at is null limit ${most}) as unread`)
  ).unread;

/** Marks one as read or unread; undefined when the person has no such notification. */
export const markNotification = (db: Db, person_id: string, id: string, isRead: boolean) =>
  db.row<NotificationRow>(sql`
    update notifications m set read_at = ${isRead ? sql`coalesce(m.read_at, now())` : sql`null`}
    from ${seen(person_id)} where m.id = n.id and n.id = ${id}
    returning m.id, m.workspace_id as group_id, m.kind, m.target_kind, m.target_id, m.parent_kind, m.parent_id, m.actor_id,
      ${subject}, m.read_at, m.created_at`);

export const markAllRead = (db: Db, person_id: string, through: string | undefined) =>
  db.run(sql`
    update notifications set read_at = now() where person_id = ${person_id} and read_at is null
      ${through === undefined ? nothing : sql`and id <= ${through}`}`);

/**
 * Takes what is to be mailed now: unread for some minutes, of people whose last such mail was a while ago. Everything
 * that waits for a person is taken together.
 */
export const takeForMail = (tx: Db, minutes: { unread: number; between: number }, most: number) =>
  tx.rows<{ tenant_id: string; person_id: string; kind: NotificationKind }>(sql`
    with due as (
      select distinct n.person_id from notifications n cross join lateral rights_of_person(n.person_id) r
      where r.workspace_id = n.workspace_id and r.permissions && n.needs and n.mail and n.mailed_at is null and n.read_at is null
        and n.created_at <= now() - make_interval(mins => ${minutes.unread}::int)
        and not exists (select from notifications m where m.person_id = n.person_id
          and m.mailed_at > now() - make_interval(mins => ${minutes.between}::int))
      limit ${most})
    update notifications n set mailed_at = now() from due cross join lateral rights_of_person(due.person_id) r
    where n.person_id = due.person_id and n.mail and n.mailed_at is null and n.read_at is null
      and r.workspace_id = n.workspace_id and r.permissions && n.needs
    returning n.tenant_id, n.person_id, n.kind`);

/** Unread for the person still: else there is nothing to push. */
export const findToPush = (db: Db, id: string) =>
  db.row<Pick<NotificationRow, 'group_id' | 'kind'> & { person_id: string }>(sql`
    select n.person_id, n.workspace_id as group_id, n.kind from notifications n
    cross join lateral rights_of_person(n.person_id) r
    where n.id = ${id} and n.read_at is null and r.workspace_id = n.workspace_id and r.permissions && n.needs`);

export const deleteOld = (db: Db) =>
  db.run(sql`delete from notifications where created_at < now() - interval '90 days'`);

/** Also of workspaces that the person has left, so the records are not named. */
export const listAllOf = (db: Db, person_id: string) =>
  db.rows<Omit<NotificationRow, 'subject'>>(sql`
    select ${ownColumns} from notifications n where n.person_id = ${person_id} order by n.id`);

export const deleteAllOf = (db: Db, person_id: string) =>
  db.run(sql`delete from notifications where person_id = ${person_id}`);
