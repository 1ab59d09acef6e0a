import type { Db } from '../../db/database.ts';
import { deliveryTable } from '../../db/delivery-table.ts';
import { sql } from '../../db/sql.ts';
import type { WebhookDelivery } from './schema.ts';
import type { WebhookTrouble } from './store.ts';

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
  (await tx.row<DeliveryRow>(sql`
    insert into webhook_deliveries (workspace_id, id, webhook_id, event, payload, redelivery_of, next_attempt_at)
    values (${workspace_id}, ${row.id}, ${row.webhook_id}, ${row.event}, ${row.payload}, ${row.redelivery_of ?? null}, ${at})
    returning ${columns}`)) as DeliveryRow;

export const { findDelivery, listDeliveries, tryDue, removeOld } = deliveryTable<DeliveryRow>({
  table: sql`webhook_deliveries`,
  owner: sql`webhook_id`,
  columns,
});

export interface Attempted {
  status: DeliveryRow['status'];
  response_status: number | null;
  error: WebhookTrouble | null;
  next_attempt_at: string | null;
  finished_at: string | null;
}

/** False when another attempt has ended it already. */
export const noteAttempt = async (tx: Db, { group_id, id }: DeliveryRow, end: Attempted) =>
  (await tx.run(sql`
    update webhook_deliveries set status = ${end.status}, response_status = ${end.response_status},
      error = ${end.error && JSON.stringify(end.error)}, next_attempt_at = ${end.next_attempt_at},
      finished_at = ${end.finished_at}
    where workspace_id = ${group_id} and id = ${id} and status = 'pending'`)) > 0;
