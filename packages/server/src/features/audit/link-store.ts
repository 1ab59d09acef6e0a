import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { chainStart, type HashedRow } from './chain.ts';
import { hashedColumns } from './store.ts';

/** Only one node links at a time. The number means nothing. */
export const lockLinking = (tx: Db) => tx.run(sql`select pg_advisory_xact_lock(7730192651)`);

export const listUnlinked = (tx: Db, limit: number) =>
  tx.rows<HashedRow>(sql`
    select ${hashedColumns} from audit_unlinked u join audit_log r on r.id = u.row_id
    order by r.at, r.id limit ${limit}`);

export interface ChainHead {
  chain_id: string;
  position: number;
  hash: Buffer;
}

/** The last links of these chains; a chain that is new begins. */
export async function lockHeads(tx: Db, chains: ReadonlyMap<string, string>): Promise<Map<string, ChainHead>> {
  const ids = [...chains.keys()];
  await tx.run(sql`
    insert into audit_chains (chain_id, tenant_id, hash, deleted_hash)
    select id, tenant, ${chainStart}, ${chainStart} from unnest(${ids}::uuid[], ${[...chains.values()]}::uuid[]) as c (id, tenant)
    on conflict (chain_id) do nothing`);
  const heads = await tx.rows<ChainHead>(sql`
    select chain_id, position, hash from audit_chains where chain_id = any(${ids}::uuid[])`);
  return new Map(heads.map((head) => [head.chain_id, head]));
}

export interface NewLink extends ChainHead {
  row_id: string;
}

export async function insertLinks(tx: Db, links: readonly NewLink[], heads: readonly ChainHead[]): Promise<void> {
  await tx.run(sql`
    insert into audit_links (chain_id, position, row_id, hash)
    select * from unnest(${links.map(({ chain_id }) => chain_id)}::uuid[], ${links.map(({ position }) => position)}::bigint[],
      ${links.map(({ row_id }) => row_id)}::uuid[], ${links.map(({ hash }) => hash)}::bytea[])`);
  await tx.run(sql`
    update audit_chains c set position = h.position, hash = h.hash
    from unnest(${heads.map(({ chain_id }) => chain_id)}::uuid[], ${heads.map(({ position }) => position)}::bigint[],
      ${heads.map(({ hash }) => hash)}::bytea[]) as h (chain_id, position, hash)
    where c.chain_id = h.chain_id`);
  await tx.run(sql`delete from audit_unlinked where row_id = any(${links.map(({ row_id }) => row_id)}::uuid[])`);
}
