import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { Webhook } from '@atrium/contract/webhooks/schema.ts';
import type { Db } from '../../db/database.ts';
import { type ListColumns, listConditions, oldestFirst } from '../../db/list-query.ts';
import { readPage } from '../../db/read-page.ts';
import { sql } from '../../db/sql.ts';

/** `secret` is sealed. */
export type WebhookRow = Webhook;
export type WebhookError = NonNullable<Webhook['last_error']>;
export type NewWebhook = Pick<WebhookRow, 'id' | 'name' | 'url' | 'events' | 'secret' | 'enabled'>;

const columns = sql`id, workspace_id as group_id, name, url, events, secret, enabled, failing_since, notice,
  last_delivered_at, last_error, created_at, updated_at, etag::text as etag`;

export const insertWebhook = async (db: Db, workspace_id: string, row: NewWebhook) =>
  await db.one<WebhookRow>(sql`
    insert into webhooks (workspace_id, id, name, url, events, secret, enabled)
    values (${workspace_id}, ${row.id}, ${row.name}, ${row.url}, ${row.events}, ${row.secret}, ${row.enabled})
    returning ${columns}`);

export const findWebhook = (db: Db, workspace_id: string, id: string) =>
  db.row<WebhookRow>(sql`select ${columns} from webhooks where workspace_id = ${workspace_id} and id = ${id}`);

const listColumns: ListColumns = {
  id: sql`id`,
  created_at: sql`created_at`,
  updated_at: sql`updated_at`,
  search: [sql`name`, sql`url`],
  sort: { name: sql`lower(name)`, updated_at: sql`updated_at` },
};

export async function listWebhooks(db: Db, workspace_id: string, filter: ListFilter, window: PageWindow) {
  const where = sql`workspace_id = ${workspace_id} ${listConditions(listColumns, filter)}`;
  return readPage<WebhookRow>(db, {
    ...{ columns, from: sql`webhooks`, where, list: listColumns, order: oldestFirst, window },
  });
}

/** One that is switched on again begins anew. */
export const updateWebhook = (db: Db, workspace_id: string, row: NewWebhook) =>
  db.row<WebhookRow>(sql`
    update webhooks set name = ${row.name}, url = ${row.url}, events = ${row.events}, secret = ${row.secret},
      enabled = ${row.enabled}, updated_at = now(),
      failing_since = case when ${row.enabled} and not enabled then null else failing_since end,
      notice = case when ${row.enabled} then null else notice end
    where workspace_id = ${workspace_id} and id = ${row.id}
    returning ${columns}`);

export const deleteWebhook = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`delete from webhooks where workspace_id = ${workspace_id} and id = ${id}`);

/** The webhooks that are subscribed to an event. */
export const webhooksForEvent = (db: Db, workspace_id: string, event: string) =>
  db.rows<{ id: string }>(sql`
    select id from webhooks where workspace_id = ${workspace_id} and enabled
      and events && array[${event}, split_part(${event}, '.', 1)]`);

export const noteDelivered = (tx: Db, workspace_id: string, id: string, at: string) =>
  tx.run(sql`
    update webhooks set failing_since = null, last_error = null, last_delivered_at = ${at}
    where workspace_id = ${workspace_id} and id = ${id}`);

/** Since when it fails, after this failure; undefined when the webhook is gone or off. */
export const noteFailed = async (tx: Db, workspace_id: string, id: string, error: WebhookError) =>
  (
    await tx.row<{ failing_since: string }>(sql`
      update webhooks set failing_since = coalesce(failing_since, ${error.at}), last_error = ${JSON.stringify(error)}
      where workspace_id = ${workspace_id} and id = ${id} and enabled
      returning failing_since`)
  )?.failing_since;

export const disableWebhook = (tx: Db, workspace_id: string, id: string, notice: WebhookError) =>
  tx.run(sql`
    update webhooks set enabled = false, notice = ${JSON.stringify(notice)}, updated_at = now()
    where workspace_id = ${workspace_id} and id = ${id} and enabled`);
