import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { storedText } from '../../../db/stored-text/stored-text.ts';
import type { TerminalKey } from './store.ts';

export interface Typed {
  kind: 'text' | 'size' | 'end';
  text: string;
}

export interface Shown {
  seq: number;
  text: string;
}

const isOf = ({ workspace_id, id }: TerminalKey) => sql`workspace_id = ${workspace_id} and terminal_id = ${id}`;

/** False when more than `most` bytes wait for a program that does not read. */
export const insertInput = async (
  db: Db,
  key: TerminalKey,
  { kind, text }: Typed,
  { input_id, most }: { input_id: string; most: number },
) =>
  (await db.run(sql`
    insert into sandbox_terminal_input (workspace_id, terminal_id, id, kind, text, bytes)
    select ${key.workspace_id}::uuid, ${key.id}::uuid, ${input_id}::uuid, ${kind}::text,
      ${storedText('sandbox_terminal_input.text', key.workspace_id, input_id, text)}::text,
      ${Buffer.byteLength(text)}::integer
    where (select coalesce(sum(bytes), 0) from sandbox_terminal_input where ${isOf(key)}) < ${most}`)) > 0;

/** Something was typed, which keeps the terminal from being idle. */
export const markInput = (db: Db, { workspace_id, id }: TerminalKey) =>
  db.run(sql`update sandbox_terminals set last_input_at = now() where workspace_id = ${workspace_id} and id = ${id}`);

/** The first of what waits; it stays until it is deleted. */
export const nextInput = (db: Db, key: TerminalKey) =>
  db.rows<Typed & { seq: number }>(sql`
    select workspace_id, id, seq, kind, text from sandbox_terminal_input where ${isOf(key)} order by seq limit 50`);

export const deleteInput = (db: Db, key: TerminalKey, seq: number) =>
  db.run(sql`delete from sandbox_terminal_input where ${isOf(key)} and seq = ${seq}`);

export const insertOutput = (db: Db, key: TerminalKey, { seq, text, start_at }: Shown & { start_at: number }) =>
  db.run(sql`
    insert into sandbox_terminal_output (workspace_id, terminal_id, seq, start_at, text)
    values (${key.workspace_id}, ${key.id}, ${seq}, ${start_at},
      ${storedText('sandbox_terminal_output.text', key.workspace_id, [key.id, seq], text)})`);

export const deleteOutputBefore = (db: Db, key: TerminalKey, place: number) =>
  db.run(sql`delete from sandbox_terminal_output where ${isOf(key)} and start_at < ${place}`);

/** How many pieces of output are read at once. */
export const outputPage = 20;

export const outputAfter = (db: Db, key: TerminalKey, last: number) =>
  db.rows<Shown>(sql`
    select workspace_id, terminal_id, seq, text from sandbox_terminal_output
    where ${isOf(key)} and seq > ${last} order by seq limit ${outputPage}`);
