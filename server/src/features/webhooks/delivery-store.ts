import type { Db } from '../../db/database.ts';
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

export const findDelivery = (db: Db, workspace_id: string, webhook_id: string, id: string) =>
  db.row<DeliveryRow>(sql`
    select ${columns} from webhook_deliveries
    where workspace_id = ${workspace_id} and webhook_id = ${webhook_id} and id = ${id}`);

export async function listDeliveries(
  db: Db,
  workspace_id: string,
  webhook_id: string,
  { size, offset }: { size: number; offset: number },
) {
  const where = sql`workspace_id = ${workspace_id} and webhook_id = ${webhook_id}`;
  const rows = await db.rows<DeliveryRow>(
    sql`select ${columns} from webhook_deliveries where ${where} order by id desc limit ${size} offset ${offset}`,
  );
  const count = await db.row<{ total: number }>(sql`select count(*) as total from webhook_deliveries where ${where}`);
  return { rows, total: count?.total ?? 0 };
}

/** Those whose time has come, this node's for a while; one that dies in the middle lets them go by waiting. */
export const takeDue = (db: Db, now: string, until: string, limit: number) =>
  db.rows<DeliveryRow>(sql`
    update webhook_deliveries set attempts = attempts + 1, next_attempt_at = ${until}
    where (workspace_id, id) in (
      select workspace_id, id from webhook_deliveries where status = 'pending' and next_attempt_at <= ${now}
      order by next_attempt_at limit ${limit} for update skip locked)
    returning ${columns}`);

export const nextDue = async (db: Db) =>
  (
    await db.row<{ at: string | null }>(sql`
      select min(next_attempt_at) as at from webhook_deliveries where status = 'pending'`)
  )?.at ?? undefined;

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

export const removeOld = (db: Db) =>
  db.run(sql`
    delete from webhook_deliveries where created_at < now() - interval '30 days' and status <> 'pending'`);
