import type { WebhookDelivery } from '@atrium/contract/webhooks/schema.ts';
import type { Db } from '../../db/database.ts';
import { deliveryTable } from '../../db/delivery-table.ts';
import { sql } from '../../db/sql.ts';
import { storedText } from '../../db/stored-text/stored-text.ts';
import type { WebhookError } from './store.ts';

/** `payload` is the very text that is signed and sent. */
export type DeliveryRow = Omit<WebhookDelivery, 'payload'> & { payload: string };

const columns = sql`id, workspace_id as group_id, webhook_id, event, payload, status, attempts, next_attempt_at,
  response_status, error, redelivery_of, created_at, finished_at`;

export interface NewDelivery {
  id: string;
  webhook_id: string;
  event: string;
  payload: string;
  redelivery_of?: string;
}

export const insertDelivery = async (tx: Db, workspace_id: string, row: NewDelivery, at: string) =>
  await tx.one<DeliveryRow>(sql`
    insert into webhook_deliveries (workspace_id, id, webhook_id, event, payload, redelivery_of, next_attempt_at)
    values (${workspace_id}, ${row.id}, ${row.webhook_id}, ${row.event}, ${storedText('webhook_deliveries.payload', workspace_id, row.id, row.payload)}, ${row.redelivery_of ?? null}, ${at})
    returning ${columns}`);

export const { findDelivery, listDeliveries, removeOld } = deliveryTable<DeliveryRow>({
  table: sql`webhook_deliveries`,
  owner: sql`webhook_id`,
  columns,
});

/** How many are under way here, by webhook, and how many may be; one that fails has to show with one that it hears us. */
export interface Lanes {
  busy: ReadonlyMap<string, number>;
  each: number;
  each_failing: number;
}

/** Webhooks with something to send and the lanes they have left: found in steps over the index, not row by row. */
const lanesLeft = ({ busy, each, each_failing }: Lanes) => sql`
  recursive waiting (webhook_id) as (
    (select webhook_id from webhook_deliveries where status = 'pending' order by webhook_id limit 1)
    union all
    select (select d.webhook_id from webhook_deliveries d
      where d.status = 'pending' and d.webhook_id > waiting.webhook_id order by d.webhook_id limit 1)
    from waiting where waiting.webhook_id is not null),
  lanes as (
    select w.id as webhook_id,
      case when w.failing_since is null then ${each}::int else ${each_failing}::int end - coalesce(busy.n, 0) as free
    from waiting join webhooks w on w.id = waiting.webhook_id
      left join unnest(${[...busy.keys()]}::uuid[], ${[...busy.values()]}::int[]) as busy (id, n) on busy.id = w.id)`;

/** Those whose time has come, this node's for a while: one that dies in the middle lets them go by waiting. */
export const takeDue = (db: Db, lanes: Lanes, { now, until, most }: { now: string; until: string; most: number }) =>
  db.rows<DeliveryRow>(sql`
    with ${lanesLeft(lanes)},
    due as materialized (
      select own.workspace_id, own.id from lanes cross join lateral (
        select workspace_id, id, next_attempt_at from webhook_deliveries d
        where d.webhook_id = lanes.webhook_id and d.status = 'pending' and d.next_attempt_at <= ${now}
        order by d.next_attempt_at limit greatest(lanes.free, 0) for update skip locked) own
      order by own.next_attempt_at limit ${most})
    update webhook_deliveries set attempts = attempts + 1, next_attempt_at = ${until}
    where (workspace_id, id) in (select workspace_id, id from due)
    returning ${columns}`);

/**
 * When the next delivery of a webhook with a free lane is due; a webhook without one continues when a delivery ends.
 */
export const nextDue = async (db: Db, lanes: Lanes) =>
  (
    await db.row<{ at: string | null }>(sql`
      with ${lanesLeft(lanes)}
      select min(own.at) as at from lanes cross join lateral (
        select min(next_attempt_at) as at from webhook_deliveries d
        where d.webhook_id = lanes.webhook_id and d.status = 'pending') own
      where lanes.free > 0`)
  )?.at;

export interface AttemptResult {
  status: DeliveryRow['status'];
  response_status: number | null;
  error: WebhookError | null;
  next_attempt_at: string | null;
  finished_at: string | null;
}

/** False when another attempt has ended it already. */
export const noteAttempt = async (tx: Db, { group_id, id }: DeliveryRow, end: AttemptResult) =>
  (await tx.run(sql`
    update webhook_deliveries set status = ${end.status}, response_status = ${end.response_status},
      error = ${end.error && JSON.stringify(end.error)}, next_attempt_at = ${end.next_attempt_at},
      finished_at = ${end.finished_at}
    where workspace_id = ${group_id} and id = ${id} and status = 'pending'`)) > 0;
