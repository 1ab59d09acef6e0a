import type { Permission } from '@atrium/contract/permissions.ts';
import type { Delivery } from '@atrium/contract/triggers/schema.ts';
import type { Db } from '../../../db/database.ts';
import { deliveryTable } from '../../../db/delivery-table.ts';
import { insertOutboxStatement, type OutboxMessage } from '../../../db/outbox.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { storedText } from '../../../db/stored-text/stored-text.ts';
import type { TriggerError } from '../store.ts';

export type DeliveryRow = Delivery & {
  depth: number;
  fired_by: string[] | null;
  fired_rights: Permission[] | null;
  /** The person whose conversations alone the caller sees who fired it by hand; null: all, or no caller. */
  fired_only_of: string | null;
};

const columns = sql`id, workspace_id as group_id, trigger_id, source, dedupe_key, input, status, depth, attempts,
  next_attempt_at, run_id, error, redelivery_of, fired_at, fired_by, fired_rights, fired_only_of, finished_at, created_at`;

export interface NewDelivery
  extends Pick<
    DeliveryRow,
    'id' | 'trigger_id' | 'source' | 'dedupe_key' | 'input' | 'fired_at' | 'fired_by' | 'redelivery_of' | 'depth'
  > {
  fired_rights?: Permission[] | null;
  fired_only_of?: string | null;
}

/** Inserts a delivery and sets `last_fired_at` of its trigger. Undefined for a duplicate `dedupe_key`. */
export const insertDelivery = (tx: Db, workspace_id: string, row: NewDelivery) =>
  tx.row<DeliveryRow>(sql`
    with made as (
      insert into trigger_deliveries (workspace_id, id, trigger_id, source, dedupe_key, input, depth, redelivery_of,
        fired_at, fired_by, fired_rights, fired_only_of, next_attempt_at)
      values (${workspace_id}, ${row.id}, ${row.trigger_id}, ${row.source}, ${row.dedupe_key},
        ${storedText('trigger_deliveries.input', workspace_id, row.id, JSON.stringify(row.input))}, ${row.depth}, ${row.redelivery_of}, ${row.fired_at},
        ${row.fired_by}::uuid[], ${row.fired_rights ?? null}::text[], ${row.fired_only_of ?? null}::uuid,
        ${row.fired_at})
      on conflict (workspace_id, trigger_id, dedupe_key) do nothing
      returning *),
    noted as (
      update triggers t set last_fired_at = greatest(t.last_fired_at, made.fired_at) from made
      where t.workspace_id = made.workspace_id and t.id = made.trigger_id and made.redelivery_of is null)
    select ${columns} from made`);

export const { findDelivery, listDeliveries, tryDue, removeOld } = deliveryTable<DeliveryRow>({
  table: sql`trigger_deliveries`,
  owner: sql`trigger_id`,
  columns,
});

/** The condition that one of these ids fired a delivery by hand. */
export const firedByOneOf = (ids: readonly string[]): Sql => sql`and fired_by && ${[...ids]}::uuid[]`;

export const findByKey = (db: Db, workspace_id: string, trigger_id: string, dedupe_key: string) =>
  db.row<DeliveryRow>(sql`
    select ${columns} from trigger_deliveries
    where workspace_id = ${workspace_id} and trigger_id = ${trigger_id} and dedupe_key = ${dedupe_key}`);

export const findById = (db: Db, workspace_id: string, id: string) =>
  db.row<DeliveryRow>(
    sql`select ${columns} from trigger_deliveries where workspace_id = ${workspace_id} and id = ${id}`,
  );

/** Ends a delivery and publishes the event, unless another attempt has ended it before. */
export const endDelivery = (
  db: Db,
  { group_id, id }: Pick<DeliveryRow, 'group_id' | 'id'>,
  end: { status: 'started' | 'failed'; run_id: string | null; error: TriggerError | null; at: string },
  happened: OutboxMessage,
) =>
  db.run(sql`
    with ended as (
      update trigger_deliveries set status = ${end.status}, run_id = ${end.run_id},
        error = ${end.error && JSON.stringify(end.error)}, finished_at = ${end.at}, next_attempt_at = null
      where workspace_id = ${group_id} and id = ${id} and status = 'pending'
      returning workspace_id, trigger_id),
    told as (${insertOutboxStatement(group_id, [happened], sql`ended`)})
    update triggers t set last_error = ${end.error && JSON.stringify(end.error)},
      last_run_at = case when ${end.run_id}::uuid is null then t.last_run_at
        else greatest(t.last_run_at, ${end.at}::timestamptz) end
    from ended where t.workspace_id = ended.workspace_id and t.id = ended.trigger_id`);

export const postpone = (
  db: Db,
  { group_id, id }: Pick<DeliveryRow, 'group_id' | 'id'>,
  until: string,
  error: TriggerError,
) =>
  db.run(sql`
    update trigger_deliveries set next_attempt_at = ${until}, error = ${JSON.stringify(error)}
    where workspace_id = ${group_id} and id = ${id} and status = 'pending'`);
