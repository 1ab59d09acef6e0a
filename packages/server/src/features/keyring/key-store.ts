import type { Db } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';

/** A data key as it is stored, sealed with a master key. */
export interface WrappedKey {
  owner_id: string;
  wrapped: string;
  current: boolean;
}

/** Where the data keys of one kind of owner are kept. Of each owner one is current; retired ones still open. */
export interface KeyTable {
  wrapContext(owner_id: string): string;
  /** The keys of one owner, the current one last. */
  of(db: Db, owner_id: string): Promise<WrappedKey[]>;
  /** Keeps a first key, unless another node was faster. */
  insert(db: Db, owner_id: string, key_id: string, wrapped: string): Promise<unknown>;
  /** Keys that are not sealed with this master key. */
  sealedOtherwise(db: Db, prefix: string): Promise<WrappedKey[]>;
  rewrap(db: Db, owner_id: string, before: string, after: string): Promise<number>;
  /** Owners whose current key is older than this. */
  olderThan(db: Db, time: string, limit: number): Promise<{ owner_id: string }[]>;
  /** Retires the current key if it is that old; how many it retired. */
  retire(db: Db, owner_id: string, older_than: string): Promise<number>;
  /** Keys that have been retired long enough for every node to know. */
  longRetired(db: Db): Promise<WrappedKey[]>;
  remove(db: Db, owner_id: string, wrapped: string): Promise<unknown>;
}

function keyTable(table: Sql, owner: Sql, { wrapContext, insert }: Pick<KeyTable, 'wrapContext' | 'insert'>): KeyTable {
  return {
    wrapContext,
    insert,
    of: (db, id) =>
      db.rows(sql`
        select ${owner} as owner_id, wrapped, retired_at is null as current from ${table}
        where ${owner} = ${id} order by current, created_at`),
    sealedOtherwise: (db, prefix) =>
      db.rows(sql`
        select ${owner} as owner_id, wrapped, retired_at is null as current from ${table}
        where not starts_with(wrapped, ${prefix}) limit 1000`),
    rewrap: (db, id, before, after) =>
      db.run(sql`update ${table} set wrapped = ${after} where ${owner} = ${id} and wrapped = ${before}`),
    olderThan: (db, time, limit) =>
      db.rows(sql`
        select ${owner} as owner_id from ${table}
        where retired_at is null and created_at < ${time}::timestamptz limit ${limit}`),
    retire: (db, id, older_than) =>
      db.run(sql`
        update ${table} set retired_at = now()
        where ${owner} = ${id} and retired_at is null and created_at < ${older_than}::timestamptz`),
    longRetired: (db) =>
      db.rows(sql`
        select ${owner} as owner_id, wrapped, false as current from ${table}
        where retired_at < now() - interval '1 hour'`),
    remove: (db, id, wrapped) =>
      db.run(sql`delete from ${table} where ${owner} = ${id} and wrapped = ${wrapped} and retired_at is not null`),
  };
}

export const workspaceKeys = keyTable(sql`data_keys`, sql`workspace_id`, {
  wrapContext: (id) => `data key\0${id}`,
  insert: (db, id, key_id, wrapped) =>
    db.run(sql`
      insert into data_keys (workspace_id, id, wrapped) values (${id}, ${key_id}, ${wrapped})
      on conflict (workspace_id) where retired_at is null do nothing`),
});

export const tenantKeys = keyTable(sql`tenant_keys`, sql`tenant_id`, {
  wrapContext: (id) => `tenant key\0${id}`,
  insert: (db, id, _key_id, wrapped) =>
    db.run(sql`
      insert into tenant_keys (tenant_id, wrapped) values (${id}, ${wrapped})
      on conflict (tenant_id) where retired_at is null do nothing`),
});
