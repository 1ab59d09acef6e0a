import type { ScimToken } from '@atrium/contract/scim/schema.ts';
import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

const columns = sql`id, name, adopts, hint as value, last_used_at, created_at`;

export const listTokens = (db: Db, tenant_id: string) =>
  db.rows<ScimToken>(sql`select ${columns} from scim_tokens where tenant_id = ${tenant_id} order by id`);

export interface NewScimToken {
  id: string;
  tenant_id: string;
  name: string;
  adopts: boolean;
  hash: Buffer;
  hint: string;
}
export const insertToken = (db: Db, row: NewScimToken) =>
  db.one<ScimToken>(sql`
    insert into scim_tokens (id, tenant_id, name, adopts, hash, hint)
    values (${row.id}, ${row.tenant_id}, ${row.name}, ${row.adopts}, ${row.hash}, ${row.hint})
    returning ${columns}`);

export const deleteToken = (db: Db, tenant_id: string, id: string) =>
  db.run(sql`delete from scim_tokens where tenant_id = ${tenant_id} and id = ${id}`);

/** The token of a hash. Its last use is written once a minute at most. */
export async function resolveToken(db: Db, hash: Buffer) {
  const token = await db.row<{ id: string; tenant_id: string; name: string; is_stale: boolean }>(sql`
    select id, tenant_id, name, coalesce(last_used_at < now() - interval '1 minute', true) as is_stale
    from scim_tokens where hash = ${hash}`);
  if (token?.is_stale) await db.run(sql`update scim_tokens set last_used_at = now() where id = ${token.id}`);
  return token;
}

export const isAdopting = async (db: Db, tenant_id: string, id: string) =>
  (await db.row(sql`select 1 from scim_tokens where tenant_id = ${tenant_id} and id = ${id} and adopts`)) !== undefined;
