import type { ListFilter } from '@atrium/contract/list-query.ts';
import type { McpServer } from '@atrium/contract/mcp/schema.ts';
import type { PageWindow } from '@atrium/contract/page.ts';
import type { Db } from '../../db/database.ts';
import { type ListColumns, listConditions } from '../../db/list-query.ts';
import { readPage } from '../../db/read-page.ts';
import { nothing, sql } from '../../db/sql.ts';

export type ServerRow = Omit<McpServer, 'client_secret' | 'refresh_token' | 'tools' | 'held'> & {
  secrets: string | null;
};
export type Login = Pick<ServerRow, 'grant_type' | 'token_url' | 'client_id' | 'scope' | 'issuer' | 'secrets'>;

const columns = sql`id, workspace_id as group_id, url, grant_type, token_url, client_id, scope, issuer, secrets,
  token_expires_at, last_error, created_at, updated_at, etag::text as etag`;

export const findServer = (db: Db, workspace_id: string, id: string) =>
  db.row<ServerRow>(sql`select ${columns} from mcp_servers where workspace_id = ${workspace_id} and id = ${id}`);

export const serverAt = (db: Db, workspace_id: string, url: string) =>
  db.row<ServerRow>(sql`select ${columns} from mcp_servers where workspace_id = ${workspace_id} and url = ${url}`);

/** The addresses that have a stored login: those of the list, or with null all of the workspace. */
export const urlsWithLogin = (db: Db, workspace_id: string, urls: readonly string[] | null) =>
  db.rows<{ url: string }>(sql`
    select url from mcp_servers where workspace_id = ${workspace_id} and grant_type is not null
      and (${urls === null} or url = any(${[...(urls ?? [])]}))`);

const listColumns: ListColumns = {
  id: sql`id`,
  created_at: sql`created_at`,
  updated_at: sql`updated_at`,
  search: [sql`url`],
  sort: { url: sql`url`, updated_at: sql`updated_at` },
};

/** `held` true: only servers with tools that are held back; false: only servers without. */
export async function listServers(
  db: Db,
  workspace_id: string,
  { held, ...filter }: ListFilter & { held: boolean | undefined },
  window: PageWindow,
) {
  const holding = sql`exists (select from mcp_tools where mcp_tools.workspace_id = mcp_servers.workspace_id
    and server_id = mcp_servers.id and changed_hash is not null)`;
  const where = sql`workspace_id = ${workspace_id}
    ${held === undefined ? nothing : sql`and ${holding} = ${held}`} ${listConditions(listColumns, filter)}`;
  const order = { by: sql`url`, down: false };
  return readPage<ServerRow>(db, { columns, from: sql`mcp_servers`, where, list: listColumns, order, window });
}

/** Does nothing when the address exists. */
export const insertServer = (db: Db, workspace_id: string, id: string, url: string) =>
  db.row<ServerRow>(sql`
    insert into mcp_servers (workspace_id, id, url) values (${workspace_id}, ${id}, ${url})
    on conflict (workspace_id, url) do nothing returning ${columns}`);

/** Drops the access token, which belongs to the previous login. */
export const updateLogin = (db: Db, workspace_id: string, id: string, login: Login) =>
  db.row<ServerRow>(sql`
    update mcp_servers set grant_type = ${login.grant_type}, token_url = ${login.token_url},
      client_id = ${login.client_id}, scope = ${login.scope}, issuer = ${login.issuer}, secrets = ${login.secrets},
      token_expires_at = null, renewal = null, renewal_until = null,
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

/** Claims the renewal of a token if the login is unchanged and no other renewal runs. A claim expires after `ms`. */
export const claimRenewal = async (db: Db, row: ServerRow, renewal: string, ms: number) =>
  (await db.run(sql`
    update mcp_servers set renewal = ${renewal}, renewal_until = now() + ${ms} * interval '1 millisecond'
    where workspace_id = ${row.group_id} and id = ${row.id} and secrets is not distinct from ${row.secrets}
      and (renewal_until is null or renewal_until < now())`)) > 0;

/**
 * Stores the token and ends the renewal. False when the login was changed meanwhile; the token is then of the old
 * login.
 */
export const endRenewal = async (
  db: Db,
  row: ServerRow,
  renewal: string,
  token: { secrets: string; token_expires_at: string | null },
) =>
  (await db.run(sql`
    update mcp_servers set secrets = ${token.secrets}, token_expires_at = ${token.token_expires_at}, last_error = null,
      renewal = null, renewal_until = null
    where workspace_id = ${row.group_id} and id = ${row.id} and renewal = ${renewal}`)) > 0;

export const dropRenewal = (db: Db, row: ServerRow, renewal: string) =>
  db.run(sql`
    update mcp_servers set renewal = null, renewal_until = null
    where workspace_id = ${row.group_id} and id = ${row.id} and renewal = ${renewal}`);

export const markError = (db: Db, workspace_id: string, id: string, error: string) =>
  db.run(sql`update mcp_servers set last_error = ${error} where workspace_id = ${workspace_id} and id = ${id}`);

export const deleteServer = (db: Db, workspace_id: string, id: string) =>
  db.run(sql`delete from mcp_servers where workspace_id = ${workspace_id} and id = ${id}`);
