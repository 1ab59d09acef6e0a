import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { Variable } from '@atrium/contract/variables/schema.ts';
import type { Db } from '../../db/database.ts';
import { type ListColumns, listConditions } from '../../db/list-query.ts';
import { readPage } from '../../db/read-page.ts';
import { sql } from '../../db/sql.ts';

/** `value` is sealed; null unless the source is inline. */
export type VariableRow = Omit<Variable, 'inline_value' | 'warnings'> & { value: string | null };
export type NewVariable = Omit<VariableRow, 'group_id' | 'created_at' | 'updated_at' | 'etag'>;

const columns = sql`id, workspace_id as group_id, name, type, source, is_secret, value, vault_credential_id, vault_path,
  vault_key, env_var_name, allowed_hosts, created_at, updated_at, etag::text as etag`;

export const findVariable = (db: Db, workspace_id: string, id: string) =>
  db.row<VariableRow>(sql`select ${columns} from variables where workspace_id = ${workspace_id} and id = ${id}`);

export const variablesById = (db: Db, workspace_id: string, ids: readonly string[]) =>
  db.rows<VariableRow>(
    sql`select ${columns} from variables where workspace_id = ${workspace_id} and id = any(${ids}::uuid[])`,
  );

export const variablesByName = (db: Db, workspace_id: string, names: readonly string[]) =>
  db.rows<{ id: string; name: string }>(
    sql`select id, name from variables where workspace_id = ${workspace_id} and name = any(${names})`,
  );

/** Inline variables whose value is the id of a file. */
export const fileVariables = (db: Db, workspace_id: string, limit: number) =>
  db.rows<VariableRow>(sql`
    select ${columns} from variables where workspace_id = ${workspace_id} and type = 'file' and source = 'inline'
    order by id limit ${limit}`);

export const variablesByVault = (db: Db, workspace_id: string, credential_id: string) =>
  db.rows<{ name: string }>(sql`
    select name from variables where workspace_id = ${workspace_id} and vault_credential_id = ${credential_id}
    order by name limit 20`);

const listColumns: ListColumns = {
  id: sql`id`,
  created_at: sql`created_at`,
  updated_at: sql`updated_at`,
  search: [sql`name`],
  sort: { name: sql`lower(name)`, updated_at: sql`updated_at` },
};

export async function listVariables(db: Db, workspace_id: string, filter: ListFilter, window: PageWindow) {
  const where = sql`workspace_id = ${workspace_id} ${listConditions(listColumns, filter)}`;
  const order = { by: sql`name`, down: false };
  return readPage<VariableRow>(db, { columns, from: sql`variables`, where, list: listColumns, order, window });
}

export const insertVariable = async (db: Db, workspace_id: string, row: NewVariable) =>
  await db.one<VariableRow>(sql`
    insert into variables (workspace_id, id, name, type, source, is_secret, value, vault_credential_id, vault_path,
                           vault_key, env_var_name, allowed_hosts)
    values (${workspace_id}, ${row.id}, ${row.name}, ${row.type}, ${row.source}, ${row.is_secret}, ${row.value},
            ${row.vault_credential_id}, ${row.vault_path}, ${row.vault_key}, ${row.env_var_name},
            ${row.allowed_hosts}::text[])
    returning ${columns}`);

export const updateVariable = (db: Db, workspace_id: string, row: NewVariable) =>
  db.row<VariableRow>(sql`
    update variables set name = ${row.name}, type = ${row.type}, source = ${row.source}, is_secret = ${row.is_secret},
      value = ${row.value}, vault_credential_id = ${row.vault_credential_id}, vault_path = ${row.vault_path},
      vault_key = ${row.vault_key}, env_var_name = ${row.env_var_name},
      allowed_hosts = ${row.allowed_hosts}::text[], updated_at = now()
    where workspace_id = ${workspace_id} and id = ${row.id}
    returning ${columns}`);

export const deleteVariable = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`delete from variables where workspace_id = ${workspace_id} and id = ${id}`);
