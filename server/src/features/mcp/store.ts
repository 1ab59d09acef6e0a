import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { McpServer } from './schema.ts';

export type ServerRow = Omit<McpServer, 'client_secret' | 'refresh_token' | 'tools'> & { secrets: string | null };
export type Login = Pick<ServerRow, 'grant_type' | 'token_url' | 'client_id' | 'scope' | 'secrets'>;

export interface ToolRow {
  server_id: string;
  name: string;
  hash: string;
  changed_hash: string | null;
  first_seen_at: string;
  changed_at: string | null;
}

const columns = sql`id, workspace_id as group_id, url, grant_type, token_url, client_id, scope, secrets,
  token_expires_at, last_error, created_at, updated_at`;

export const findServer = (db: Db, workspace_id: string, id: string) =>
  db.row<ServerRow>(sql`select ${columns} from mcp_servers where workspace_id = ${workspace_id} and id = ${id}`);

export const holdServer = (db: Db, workspace_id: string, id: string) =>
  db.row<ServerRow>(
    sql`select ${columns} from mcp_servers where workspace_id = ${workspace_id} and id = ${id} for update`,
  );

export const serverAt = (db: Db, workspace_id: string, url: string) =>
  db.row<ServerRow>(sql`select ${columns} from mcp_servers where workspace_id = ${workspace_id} and url = ${url}`);

export async function listServers(db: Db, workspace_id: string, { size, offset }: { size: number; offset: number }) {
  const rows = await db.rows<ServerRow>(sql`
    select ${columns} from mcp_servers where workspace_id = ${workspace_id}
    order by url limit ${size} offset ${offset}`);
  const count = await db.row<{ total: number }>(
    sql`select count(*) as total from mcp_servers where workspace_id = ${workspace_id}`,
  );
  return { rows, total: count?.total ?? 0 };
}

/** Nothing is done when the address is known already. */
export const insertServer = (db: Db, workspace_id: string, id: string, url: string) =>
  db.row<ServerRow>(sql`
    insert into mcp_servers (workspace_id, id, url) values (${workspace_id}, ${id}, ${url})
    on conflict (workspace_id, url) do nothing returning ${columns}`);

/** Whatever token it had belongs to how it logged in before. */
export const updateLogin = (db: Db, workspace_id: string, id: string, login: Login) =>
  db.row<ServerRow>(sql`
    update mcp_servers set grant_type = ${login.grant_type}, token_url = ${login.token_url},
      client_id = ${login.client_id}, scope = ${login.scope}, secrets = ${login.secrets}, token_expires_at = null,
      last_error = null, updated_at = now()
    where workspace_id = ${workspace_id} and id = ${id} returning ${columns}`);

export const updateToken = (
  db: Db,
  workspace_id: string,
  id: string,
  token: { secrets: string; token_expires_at: string | null; last_error: string | null },
) =>
  db.run(sql`
    update mcp_servers set secrets = ${token.secrets}, token_expires_at = ${token.token_expires_at},
      last_error = ${token.last_error} where workspace_id = ${workspace_id} and id = ${id}`);

export const markError = (db: Db, workspace_id: string, id: string, error: string) =>
  db.run(sql`update mcp_servers set last_error = ${error} where workspace_id = ${workspace_id} and id = ${id}`);

export const deleteServer = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`delete from mcp_servers where workspace_id = ${workspace_id} and id = ${id}`);

export const toolsOf = (db: Db, workspace_id: string, server_ids: readonly string[]) =>
  db.rows<ToolRow>(sql`
    select server_id, name, hash, changed_hash, first_seen_at, changed_at from mcp_tools
    where workspace_id = ${workspace_id} and server_id = any(${server_ids}) order by name`);

/** The first that is seen under a name counts, whoever sees it. */
export const insertTools = (
  db: Db,
  workspace_id: string,
  server_id: string,
  tools: readonly { name: string; hash: string }[],
) =>
  db.run(sql`
    insert into mcp_tools (workspace_id, server_id, name, hash)
    select ${workspace_id}, ${server_id}, name, hash from json_to_recordset(${JSON.stringify(tools)}::json)
      as seen (name text, hash text)
    on conflict do nothing`);

/** A null says that the tool is what it was at first again. */
export const markTool = (db: Db, workspace_id: string, server_id: string, name: string, changed: string | null) =>
  db.run(sql`
    update mcp_tools set changed_hash = ${changed}, changed_at = case when ${changed}::text is null then null else now() end
    where workspace_id = ${workspace_id} and server_id = ${server_id} and name = ${name}`);

export const acceptTools = (db: Db, workspace_id: string, server_id: string, names: readonly string[] | null) =>
  db.run(sql`
    update mcp_tools set hash = changed_hash, changed_hash = null, changed_at = null
    where workspace_id = ${workspace_id} and server_id = ${server_id} and changed_hash is not null
      and (${names}::text[] is null or name = any(${names}::text[]))`);
