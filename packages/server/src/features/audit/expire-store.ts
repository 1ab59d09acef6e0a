import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export interface ExpiredPart {
  chain_id: string;
  tenant_id: string;
  /** The last link before the first row that is young enough to stay. */
  position: number;
  hash: Buffer;
  count: number;
}

/**
 * The beginning of each chain whose rows are all older than the given days. A part of it, so that the transaction stays
 * short; the next one takes the rest.
 */
export const findExpired = (tx: Db, days: number, limit: number) =>
  tx.rows<ExpiredPart>(sql`
    select c.chain_id, c.tenant_id, e.position, e.hash, e.position - c.deleted_position as count
    from audit_chains c cross join lateral (
      select l.position, l.hash from audit_links l
      where l.chain_id = c.chain_id and l.position > c.deleted_position
        and l.position <= c.deleted_position + ${limit}
        and l.position < coalesce((
          select min(y.position) from audit_links y join audit_log r on r.id = y.row_id
          where y.chain_id = c.chain_id and y.position > c.deleted_position
            and y.position <= c.deleted_position + ${limit} + 1 and r.at >= now() - make_interval(days => ${days})),
          c.deleted_position + ${limit} + 1)
      order by l.position desc limit 1) e`);

/** Moves the checkpoint first: the database lets rows go only behind it. */
export async function deleteExpired(tx: Db, { chain_id, position, hash }: ExpiredPart): Promise<void> {
  await tx.run(sql`
    update audit_chains set deleted_position = ${position}, deleted_hash = ${hash} where chain_id = ${chain_id}`);
  await tx.run(sql`
    delete from audit_log r using audit_links l
    where l.chain_id = ${chain_id} and l.position <= ${position} and r.id = l.row_id`);
  await tx.run(sql`delete from audit_links where chain_id = ${chain_id} and position <= ${position}`);
}
