import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { VaultCredential } from '@atrium/contract/vault/schema.ts';
import type { Db } from '../../db/database.ts';
import { type ListColumns, listConditions } from '../../db/list-query.ts';
import { readPage } from '../../db/read-page.ts';
import { sql } from '../../db/sql.ts';

export type CredentialRow = Omit<VaultCredential, 'token' | 'secret_id'> & { secrets: string };
export type NewCredential = Omit<CredentialRow, 'group_id' | 'created_at' | 'updated_at' | 'etag'>;

const columns = sql`id, workspace_id as group_id, name, address, namespace, mount, auth_method, auth_mount, role_id,
  secrets, created_at, updated_at, etag::text as etag`;

export const findCredential = (db: Db, workspace_id: string, id: string) =>
  db.row<CredentialRow>(
    sql`select ${columns} from vault_credentials where workspace_id = ${workspace_id} and id = ${id}`,
  );

const listColumns: ListColumns = {
  id: sql`id`,
  created_at: sql`created_at`,
  updated_at: sql`updated_at`,
  search: [sql`name`],
  sort: { name: sql`lower(name)`, updated_at: sql`updated_at` },
};

export async function listCredentials(db: Db, workspace_id: string, filter: ListFilter, window: PageWindow) {
  const where = sql`workspace_id = ${workspace_id} ${listConditions(listColumns, filter)}`;
  const order = { by: sql`name`, down: false };
  return readPage<CredentialRow>(db, {
    ...{ columns, from: sql`vault_credentials`, where, list: listColumns, order, window },
  });
}

export const insertCredential = async (db: Db, workspace_id: string, row: NewCredential) =>
  await db.one<CredentialRow>(sql`
    insert into vault_credentials (workspace_id, id, name, address, namespace, mount, auth_method, auth_mount, role_id,
                                   secrets)
    values (${workspace_id}, ${row.id}, ${row.name}, ${row.address}, ${row.namespace}, ${row.mount},
            ${row.auth_method}, ${row.auth_mount}, ${row.role_id}, ${row.secrets})
    returning ${columns}`);

export const updateCredential = (db: Db, workspace_id: string, row: NewCredential) =>
  db.row<CredentialRow>(sql`
    update vault_credentials set name = ${row.name}, address = ${row.address}, namespace = ${row.namespace},
      mount = ${row.mount}, auth_method = ${row.auth_method}, auth_mount = ${row.auth_mount},
      role_id = ${row.role_id}, secrets = ${row.secrets}, updated_at = now()
    where workspace_id = ${workspace_id} and id = ${row.id}
    returning ${columns}`);

export const deleteCredential = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`delete from vault_credentials where workspace_id = ${workspace_id} and id = ${id}`);
