import type { Db } from '../database.ts';
import { identifier, sql } from '../sql.ts';

/** The sizes of those tables that are there, with what belongs to them, and how many of their rows are known to be dead. */
export const readTableSizes = (db: Db, tables: readonly string[]) =>
  db.rows<{ name: string; bytes: number; dead: number; file: string }>(sql`
    select c.relname::text as name, pg_total_relation_size(c.oid)::float8 as bytes,
      coalesce(pg_stat_get_dead_tuples(c.oid), 0)::float8 as dead, pg_relation_filenode(c.oid)::text as file
    from pg_class c
    where c.oid = any(array(select to_regclass(t) from unnest(${[...tables]}::text[]) as t)) order by 1`);

/** Lets the space of deleted rows be used again; their bytes stay in it until then. */
export const vacuumTable = (db: Db, table: string) => db.run(sql`vacuum (analyze) ${identifier(table)}`);

/** Writes a table anew without deleted rows. It is locked meanwhile, and left as it is when another caller has it locked. */
export const rewriteTable = (db: Db, table: string) =>
  db.run(sql`vacuum (full, analyze, skip_locked) ${identifier(table)}`);
