import type { PageWindow } from '@atrium/contract/page.ts';
import type { Db } from '../../../db/database.ts';
import { oldestFirst } from '../../../db/list-query.ts';
import { readPage } from '../../../db/read-page.ts';
import { nothing, sql } from '../../../db/sql.ts';

/** `hash` is null until a definition was accepted; `changed_hash` is that of the definition that is held back. */
export interface ToolRow {
  server_id: string;
  name: string;
  hash: string | null;
  changed_hash: string | null;
  first_seen_at: string;
  changed_at: string | null;
  accepted_at: string | null;
  accepted_by: string | null;
}
export type DefinitionRow = ToolRow & { definition: string | null; held_definition: string | null };

/** A tool as the server lists it now. */
export interface SeenTool {
  name: string;
  hash: string;
  definition: string;
}

const columns = sql`server_id, name, hash, changed_hash, first_seen_at, changed_at, accepted_at, accepted_by`;

export const toolsOf = (db: Db, workspace_id: string, server_ids: readonly string[]) =>
  db.rows<ToolRow>(sql`
    select ${columns} from mcp_tools
    where workspace_id = ${workspace_id} and server_id = any(${server_ids}) order by name`);

export async function definitionsOf(
  db: Db,
  workspace_id: string,
  server_id: string,
  state: 'accepted' | 'changed' | 'new' | undefined,
  window: PageWindow,
) {
  const states = { accepted: sql`changed_hash is null`, changed: sql`hash <> changed_hash`, new: sql`hash is null` };
  const where = sql`workspace_id = ${workspace_id} and server_id = ${server_id}
    ${state ? sql`and ${states[state]}` : nothing}`;
  return readPage<DefinitionRow>(db, {
    ...{ columns: sql`${columns}, definition, held_definition`, from: sql`mcp_tools`, where, window },
    ...{ list: { id: sql`name`, created_at: sql`first_seen_at` }, order: oldestFirst },
  });
}

/** Locks the server's row until the end of the transaction. True when its tools have been recorded before. */
export const lockMet = async (tx: Db, workspace_id: string, server_id: string) =>
  (
    await tx.row<{ met: boolean }>(sql`
      select met_at is not null as met from mcp_servers
      where workspace_id = ${workspace_id} and id = ${server_id} for update`)
  )?.met;

export const markMet = (tx: Db, workspace_id: string, server_id: string) =>
  tx.run(sql`update mcp_servers set met_at = now() where workspace_id = ${workspace_id} and id = ${server_id}`);

/** Accepts the tools of the first contact; later tools are held back. */
export const insertTools = (
  tx: Db,
  workspace_id: string,
  server_id: string,
  tools: readonly SeenTool[],
  { accepted }: { accepted: boolean },
) =>
  tx.run(sql`
    insert into mcp_tools (workspace_id, server_id, name, hash, definition, changed_hash, held_definition, changed_at,
      accepted_at)
    select ${workspace_id}, ${server_id}, name, case when ${accepted}::boolean then hash end,
      case when ${accepted}::boolean then definition end, case when not ${accepted}::boolean then hash end,
      case when not ${accepted}::boolean then definition end, case when not ${accepted}::boolean then now() end,
      case when ${accepted}::boolean then now() end
    from json_to_recordset(${JSON.stringify(tools)}::json) as seen (name text, hash text, definition text)
    on conflict do nothing`);

/** Holds back a definition that differs from the accepted one. */
export const holdTool = (tx: Db, workspace_id: string, server_id: string, { name, hash, definition }: SeenTool) =>
  tx.run(sql`
    update mcp_tools set changed_hash = ${hash}, held_definition = ${definition}, changed_at = now()
    where workspace_id = ${workspace_id} and server_id = ${server_id} and name = ${name}`);

/** Releases a tool that returned to its accepted definition. */
export const releaseTool = (tx: Db, workspace_id: string, server_id: string, { name, definition }: SeenTool) =>
  tx.run(sql`
    update mcp_tools set changed_hash = null, held_definition = null, changed_at = null, definition = ${definition}
    where workspace_id = ${workspace_id} and server_id = ${server_id} and name = ${name}`);

export const acceptTools = (
  tx: Db,
  workspace_id: string,
  server_id: string,
  { names, by }: { names: readonly string[]; by: string },
) =>
  tx.run(sql`
    update mcp_tools set hash = changed_hash, definition = held_definition, changed_hash = null, held_definition = null,
      changed_at = null, accepted_at = now(), accepted_by = ${by}
    where workspace_id = ${workspace_id} and server_id = ${server_id} and changed_hash is not null
      and name = any(${names}::text[])`);
