import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { Terminal, TerminalEndReason, TerminalSize } from '@atrium/contract/sandboxes/terminals.ts';
import type { Db } from '../../../db/database.ts';
import { type ListColumns, listConditions } from '../../../db/list-query.ts';
import { readPage } from '../../../db/read-page.ts';
import { sql } from '../../../db/sql.ts';

/** The terminal that a statement is about. */
export interface TerminalKey {
  workspace_id: string;
  id: string;
}

/** The terminals of one caller in one sandbox. */
export interface TerminalOwner {
  workspace_id: string;
  sandbox_id: string;
  created_by: string;
}

const isKey = ({ workspace_id, id }: TerminalKey) => sql`workspace_id = ${workspace_id} and id = ${id}`;
const isOwned = ({ workspace_id, sandbox_id, created_by }: TerminalOwner) =>
  sql`workspace_id = ${workspace_id} and sandbox_id = ${sandbox_id} and created_by = ${created_by}`;
/** A terminal whose process has not said for this long that it runs it is lost. */
const isLost = sql`(status = 'open' and alive_at < now() - interval '20 seconds')`;
const columns = sql`id, sandbox_id, case when ${isLost} then 'ended' else status end as status, rows, cols, exit_code,
  case when ${isLost} then 'lost' else reason end as reason, created_at, last_input_at`;

/** Keeps other transactions from adding a terminal to the sandbox. False when the sandbox is gone. */
export const lockSandbox = async (tx: Db, { workspace_id, sandbox_id }: TerminalOwner) =>
  (await tx.row(sql`
    select 1 from sandboxes where workspace_id = ${workspace_id} and id = ${sandbox_id} for no key update`)) !==
  undefined;

/** Undefined when the sandbox, which is locked, has as many open terminals as it may have. */
export const insertTerminal = (
  db: Db,
  { workspace_id, sandbox_id, created_by }: TerminalOwner,
  { id, rows, cols, most }: TerminalSize & { id: string; most: number },
) =>
  db.row<Terminal>(sql`
    insert into sandbox_terminals (workspace_id, id, sandbox_id, created_by, rows, cols)
    select ${workspace_id}::uuid, ${id}::uuid, ${sandbox_id}::uuid, ${created_by}::text, ${rows}::integer, ${cols}::integer
    where (select count(*) from sandbox_terminals where workspace_id = ${workspace_id} and sandbox_id = ${sandbox_id}
      and status = 'open' and not ${isLost}) < ${most}
    returning ${columns}`);

export const findTerminal = (db: Db, owner: TerminalOwner, id: string) =>
  db.row<Terminal>(sql`select ${columns} from sandbox_terminals where ${isOwned(owner)} and id = ${id}`);

const list: ListColumns = { id: sql`id`, created_at: sql`created_at` };

export const listTerminals = (db: Db, owner: TerminalOwner, filter: ListFilter, window: PageWindow) => {
  const where = sql`${isOwned(owner)} ${listConditions(list, filter)}`;
  return readPage<Terminal>(db, { columns, from: sql`sandbox_terminals`, where, list, window });
};

/** Says that the terminal is run. Undefined when it is gone, by itself or with its sandbox. */
export const touchTerminal = (db: Db, key: TerminalKey) =>
  db.row<{ idle_seconds: number; is_to_end: boolean; sandbox_runs: boolean }>(sql`
    update sandbox_terminals set alive_at = now() where ${isKey(key)} and status = 'open'
    returning extract(epoch from now() - last_input_at)::float8 as idle_seconds,
      exists (select from sandbox_terminal_input i
        where i.workspace_id = ${key.workspace_id} and i.terminal_id = ${key.id} and i.kind = 'end') as is_to_end,
      exists (select from sandboxes s where s.workspace_id = ${key.workspace_id} and s.id = sandbox_id
        and s.status = 'running') as sandbox_runs`);

export const endTerminal = (
  db: Db,
  key: TerminalKey,
  { exit_code, reason }: { exit_code: number | null; reason: TerminalEndReason },
) =>
  db.run(sql`
    update sandbox_terminals set status = 'ended', exit_code = ${exit_code}, reason = ${reason}, alive_at = now()
    where ${isKey(key)} and status = 'open'`);

/** Terminals that ended, or whose process is gone, more than five minutes ago; with all that was typed and shown. */
export const deleteOldTerminals = (db: Db) =>
  db.run(sql`delete from sandbox_terminals where alive_at < now() - interval '5 minutes'`);

export const setSize = (db: Db, key: TerminalKey, { rows, cols }: TerminalSize) =>
  db.row<Terminal>(sql`
    update sandbox_terminals set rows = ${rows}, cols = ${cols} where ${isKey(key)} returning ${columns}`);
