import { randomBytes } from 'node:crypto';
import { unavailable } from '@atrium/contract/errors.ts';
import type { Database, Db } from '../../../db/database.ts';
import { identifier, join, sql } from '../../../db/sql.ts';
import { errorCode } from '../../../lib/error-code.ts';
import { platformSchema } from '../platform-tables.ts';
import { spaceNames } from './sql-names.ts';

/** Where a workspace's tables are. */
export interface Space {
  workspace_id: string;
  schema_name: string;
  read_schema_name: string;
  role_name: string | null;
}

export const findSpace = (db: Db, workspace_id: string) =>
  db.row<Space>(sql`
    select workspace_id, schema_name, read_schema_name, role_name from table_spaces
    where workspace_id = ${workspace_id}`);

/** The bytes that the tables of a workspace and the history of their rows take on the disk. */
export async function measureRows(db: Db, workspace_id: string): Promise<number> {
  const { bytes } = await db.one<{ bytes: number }>(sql`
    select coalesce((
      select sum(pg_table_size(c.oid)) from table_spaces p join pg_namespace n on n.nspname = p.schema_name
        join pg_class c on c.relnamespace = n.oid and c.relkind = 'r'
      where p.workspace_id = ${workspace_id}), 0)::bigint + coalesce((
      select sum(coalesce(pg_column_size(before), 0) + coalesce(pg_column_size(after), 0)) from table_row_history
      where workspace_id = ${workspace_id}), 0)::bigint as bytes`);
  return bytes;
}

/** Roles belong to a server, which may hold several databases that know the same workspace. */
const newRoleName = (workspace_id: string) =>
  `atrium_${workspace_id.replaceAll('-', '')}_${randomBytes(4).toString('hex')}`;

const mayMakeRoles = async (db: Db) =>
  (
    await db.row<{ may: boolean }>(sql`
      select rolsuper or rolcreaterole as may from pg_roles where rolname = current_user`)
  )?.may ?? false;

/** The views of the platform are the same for all: of two who give or take rights to them at once, one would fail. */
const lockRoles = (tx: Db) => tx.run(sql`select pg_advisory_xact_lock(hashtextextended('roles of tables', 0))`);

/** Creates the database role of a workspace. It sees the views of its workspace and of the platform, nothing else. */
async function makeRole(tx: Db, space: Space): Promise<string> {
  await lockRoles(tx);
  const role_name = space.role_name ?? newRoleName(space.workspace_id);
  const [role, schema, platform] = [
    identifier(role_name),
    identifier(space.read_schema_name),
    identifier(platformSchema),
  ];
  const exists = await tx.row(sql`select 1 from pg_roles where rolname = ${role_name}`);
  if (!exists) await tx.run(sql`create role ${role} nologin noinherit`);
  // A user who made a role does not belong to it by that alone, and only who belongs to it can take it on.
  await tx.run(sql`grant ${role} to current_user`);
  await tx.run(sql`grant usage on schema ${join([schema, platform], sql`, `)} to ${role}`);
  await tx.run(sql`grant select on all tables in schema ${join([schema, platform], sql`, `)} to ${role}`);
  await tx.run(sql`alter default privileges in schema ${schema} grant select on tables to ${role}`);
  await tx.run(sql`update table_spaces set role_name = ${role_name} where workspace_id = ${space.workspace_id}`);
  return role_name;
}

const lockSpace = (tx: Db, workspace_id: string) =>
  tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`tables of ${workspace_id}`}, 0))`);

/** The workspace's schemas, and its role where we may make one; made when its first table is. */
export async function ensureSpace(tx: Db, workspace_id: string): Promise<Space> {
  const found = await findSpace(tx, workspace_id);
  if (found) return found;
  await lockSpace(tx, workspace_id);
  const meanwhile = await findSpace(tx, workspace_id);
  if (meanwhile) return meanwhile;
  const space: Space = { workspace_id, ...spaceNames(workspace_id), role_name: null };
  await tx.run(sql`create schema if not exists ${identifier(space.schema_name)}`);
  await tx.run(sql`create schema if not exists ${identifier(space.read_schema_name)}`);
  await tx.run(sql`
    insert into table_spaces (workspace_id, schema_name, read_schema_name)
    values (${workspace_id}, ${space.schema_name}, ${space.read_schema_name})`);
  return (await mayMakeRoles(tx)) ? { ...space, role_name: await makeRole(tx, space) } : space;
}

/** Creates the schemas in a transaction of their own, so that nothing waits for a long transaction. */
export async function prepareSpace(db: Database, workspace_id: string): Promise<void> {
  if (!(await findSpace(db, workspace_id))) await db.transaction(undefined, (tx) => ensureSpace(tx, workspace_id));
}

const howToHelp =
  'SQL over tables needs a database role for each workspace, and the database user may not make one. ' +
  'Let an administrator of the database run: alter role <the user of DATABASE_URL> createrole';

/** Whether roles can be made, in words for the log when they can't. */
export const describeMissingRoleRight = async (db: Db) => ((await mayMakeRoles(db)) ? undefined : howToHelp);

/** The role under which a workspace's own questions run, or an error: they never run under another. */
export async function ensureRole(db: Database, workspace_id: string): Promise<Space & { role_name: string }> {
  const found = await findSpace(db, workspace_id);
  const known = found?.role_name
    ? await db.row(sql`select 1 from pg_roles where rolname = ${found.role_name}`)
    : undefined;
  if (found?.role_name && known) return { ...found, role_name: found.role_name };
  if (!(await mayMakeRoles(db))) throw unavailable(howToHelp, 'query_role_missing');
  return db.transaction(undefined, async (tx) => {
    const space = await ensureSpace(tx, workspace_id);
    await lockSpace(tx, workspace_id);
    const latest = (await findSpace(tx, workspace_id)) ?? space;
    return { ...latest, role_name: await makeRole(tx, latest) };
  });
}

const isStillNeeded = (error: unknown) => errorCode(error) === '2BP01';

/** Table by table: one transaction that drops thousands would need more locks than the server has. */
export async function removeSpace(db: Database, workspace_id: string): Promise<void> {
  const space = await findSpace(db, workspace_id);
  if (!space) return;
  for (const schema of [space.read_schema_name, space.schema_name]) {
    const relations = await db.rows<{ name: string; kind: string }>(sql`
      select c.relname as name, c.relkind as kind from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = ${schema} and c.relkind in ('r', 'v')`);
    for (const { name, kind } of relations)
      await db.run(
        kind === 'v'
          ? sql`drop view if exists ${identifier(schema, name)}`
          : sql`drop table if exists ${identifier(schema, name)} cascade`,
      );
    await db.run(sql`drop schema if exists ${identifier(schema)} cascade`);
  }
  const { role_name } = space;
  if (role_name && (await db.row(sql`select 1 from pg_roles where rolname = ${role_name}`)))
    await db.transaction(undefined, async (tx) => {
      await lockRoles(tx);
      await tx.run(sql`drop owned by ${identifier(role_name)}`);
    });
  if (role_name)
    await db.run(sql`drop role if exists ${identifier(role_name)}`).catch((error: unknown) => {
      // A copy of this database on the same server has use for it: it goes with the last one.
      if (!isStillNeeded(error)) throw error;
    });
  await db.run(sql`delete from table_spaces where workspace_id = ${workspace_id}`);
}
