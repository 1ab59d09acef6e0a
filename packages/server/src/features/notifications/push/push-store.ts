import type { PushSubscription } from '@atrium/contract/notifications/schema.ts';
import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

export interface PushKeyRow {
  public_key: string;
  sealed: string;
}

export const findPushKey = (db: Db, tenant_id: string) =>
  db.row<PushKeyRow>(sql`select public_key, sealed from push_keys where tenant_id = ${tenant_id}`);

/** The stored one, where another node was quicker. */
export const insertPushKey = async (db: Db, tenant_id: string, row: PushKeyRow) => {
  await db.run(sql`
    insert into push_keys (tenant_id, public_key, sealed) values (${tenant_id}, ${row.public_key}, ${row.sealed})
    on conflict (tenant_id) do nothing`);
  return (await findPushKey(db, tenant_id)) ?? row;
};

const columns = sql`id, label, origin, last_sent_at, created_at`;

export const listSubscriptions = (db: Db, person_id: string) =>
  db.rows<PushSubscription>(sql`
    select ${columns} from push_subscriptions where person_id = ${person_id} order by id`);

/** The subscriptions of these people. */
export const listIdsOfPeople = async (db: Db, person_ids: readonly string[]) =>
  person_ids.length === 0
    ? []
    : db.rows<{ id: string; person_id: string }>(sql`
        select id, person_id from push_subscriptions where person_id = any(${[...person_ids]}::uuid[]) order by id`);

export const deleteByAddress = (tx: Db, person_id: string, endpoint_hash: Buffer) =>
  tx.run(sql`delete from push_subscriptions where person_id = ${person_id} and endpoint_hash = ${endpoint_hash}`);

export interface NewSubscription {
  id: string;
  tenant_id: string;
  person_id: string;
  label: string;
  origin: string;
  endpoint_hash: Buffer;
  sealed: string;
}

/** Undefined when the person has too many. */
/** Until the transaction ends, others that change the devices of this person wait. */
export const lockDevices = (tx: Db, person_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended('push ' || ${person_id}::text, 0))`);

export const insertSubscription = (tx: Db, row: NewSubscription, most: number) =>
  tx.row<PushSubscription>(sql`
    insert into push_subscriptions (id, tenant_id, person_id, label, origin, endpoint_hash, sealed)
    select ${row.id}, ${row.tenant_id}, ${row.person_id}, ${row.label}, ${row.origin}, ${row.endpoint_hash}, ${row.sealed}
    where (select count(*) from push_subscriptions where person_id = ${row.person_id}) < ${most}
    returning ${columns}`);

export const deleteSubscription = (db: Db, person_id: string, id: string) =>
  db.run(sql`delete from push_subscriptions where person_id = ${person_id} and id = ${id}`);

export const findSealed = (db: Db, id: string) =>
  db.row<{ tenant_id: string; person_id: string; sealed: string }>(sql`
    select tenant_id, person_id, sealed from push_subscriptions where id = ${id}`);

export const noteSent = (db: Db, id: string) =>
  db.run(sql`update push_subscriptions set last_sent_at = now() where id = ${id}`);

export const deleteGone = (db: Db, id: string) => db.run(sql`delete from push_subscriptions where id = ${id}`);

export const deleteAllOf = (db: Db, person_id: string) =>
  db.run(sql`delete from push_subscriptions where person_id = ${person_id}`);
