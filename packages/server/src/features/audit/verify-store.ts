import type { Db } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { HashedRow } from './chain.ts';
import { hashedColumns } from './store.ts';

/** All statements of a verification see the log at one moment. */
export const readAtOneMoment = (tx: Db) => tx.run(sql`set transaction isolation level repeatable read, read only`);

export interface StoredChain {
  chain_id: string;
  tenant_id: string;
  position: number;
  hash: Buffer;
  deleted_position: number;
  deleted_hash: Buffer;
}

const columns = sql`chain_id, tenant_id, position, hash, deleted_position, deleted_hash`;

/** The chains of a tenant, or one of them; all there are without a tenant. */
export const listChains = (tx: Db, tenant_id: string | undefined, chain_id: string | undefined) =>
  tx.rows<StoredChain>(sql`
    select ${columns} from audit_chains
    where (${tenant_id ?? null}::uuid is null or tenant_id = ${tenant_id ?? null})
      and (${chain_id ?? null}::uuid is null or chain_id = ${chain_id ?? null})
    order by chain_id`);

export interface StoredLink {
  position: number;
  hash: Buffer;
  row_id: string;
  /** Null: the row is gone. */
  row: HashedRow | null;
}

type LinkRow = Omit<StoredLink, 'row'> & { [K in keyof HashedRow]: HashedRow[K] | null };

export async function listLinks(tx: Db, chain_id: string, after: number, limit: number): Promise<StoredLink[]> {
  const rows = await tx.rows<LinkRow>(sql`
    select l.position, l.hash, l.row_id, ${hashedColumns} from audit_links l left join audit_log r on r.id = l.row_id
    where l.chain_id = ${chain_id} and l.position > ${after} order by l.position limit ${limit}`);
  return rows.map(({ position, hash, row_id, ...row }) => ({
    ...{ position, hash, row_id },
    row: row.id === null ? null : (row as HashedRow),
  }));
}

/** Links of chains that are no chains any more, by chain. */
export const listOrphanedChains = (tx: Db) =>
  tx.rows<{ chain_id: string; position: number }>(sql`
    select l.chain_id, max(l.position) as position from audit_links l
    where not exists (select 1 from audit_chains c where c.chain_id = l.chain_id) group by l.chain_id`);

const inChain = (tenant_id: string | undefined, chain_id: string | undefined): Sql => sql`
  (${tenant_id ?? null}::uuid is null or r.tenant_id = ${tenant_id ?? null})
  and (${chain_id ?? null}::uuid is null or coalesce(r.workspace_id, r.tenant_id) = ${chain_id ?? null})`;

/** Rows without a link that the follower does not know of, or has not linked for a minute. */
export const listUnlinkedRows = (tx: Db, tenant_id: string | undefined, chain_id: string | undefined, limit: number) =>
  tx.rows<{ id: string; chain_id: string }>(sql`
    select r.id, coalesce(r.workspace_id, r.tenant_id) as chain_id from audit_log r
    left join audit_links l on l.row_id = r.id left join audit_unlinked u on u.row_id = r.id
    where l.row_id is null and (u.row_id is null or r.at < now() - interval '1 minute')
      and ${inChain(tenant_id, chain_id)} limit ${limit}`);

/** The checkpoint that retention last wrote for a chain. */
export const findCheckpoint = (tx: Db, tenant_id: string, chain_id: string) =>
  tx.row<{ after: { position: number; hash: string } }>(sql`
    select r.after from audit_log r
    where r.tenant_id = ${tenant_id} and r.operation = 'audit.expire' and r.target_id = ${chain_id}
    order by r.at desc, r.id desc limit 1`);
