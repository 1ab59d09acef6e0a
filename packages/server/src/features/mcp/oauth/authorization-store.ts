import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

/** A browser login in progress: the user was sent to the authorization server and has not come back yet. */
export interface AuthorizationRow {
  workspace_id: string;
  id: string;
  server_id: string;
  issuer: string;
  names_issuer: boolean;
  token_url: string;
  client_id: string;
  scope: string | null;
  redirect_uri: string;
  secrets: string;
}

const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const columns = sql`workspace_id, id, server_id, issuer, names_issuer, token_url, client_id, scope, redirect_uri, secrets`;

interface NewLogin {
  state_hash: string;
  ticket_hash: string;
  expires_at: string;
}

/** Also deletes the logins that have expired. */
export const insertAuthorization = (db: Db, row: AuthorizationRow & NewLogin) =>
  db.run(sql`
    with old as (delete from mcp_authorizations where expires_at < now())
    insert into mcp_authorizations (${columns}, state_hash, ticket_hash, expires_at)
    values (${row.workspace_id}, ${row.id}, ${row.server_id}, ${row.issuer}, ${row.names_issuer}, ${row.token_url},
      ${row.client_id}, ${row.scope}, ${row.redirect_uri}, ${row.secrets}, ${row.state_hash}, ${row.ticket_hash},
      ${row.expires_at})`);

/** Looks in all workspaces, since the browser has no key; the browser is identified by its ticket or state. */
export const isLoginServer = async (db: Db, server_id: string) =>
  isUuid.test(server_id) && (await db.row(sql`select 1 from mcp_servers where id = ${server_id}`)) !== undefined;

/** The login as its page shows it. */
export interface LoginRow extends Pick<AuthorizationRow, 'workspace_id' | 'id' | 'issuer' | 'scope'> {
  server: string;
  workspace: string;
  /** The seconds until the login expires. */
  seconds: number;
}

export const findLogin = (db: Db, server_id: string, ticket_hash: string) =>
  db.row<LoginRow>(sql`
    select a.workspace_id, a.id, a.issuer, a.scope, s.url as server, w.name as workspace,
      ceil(extract(epoch from a.expires_at - now()))::int as seconds
    from mcp_authorizations a join mcp_servers s on s.workspace_id = a.workspace_id and s.id = a.server_id
      join workspaces w on w.id = a.workspace_id
    where a.server_id = ${server_id} and a.ticket_hash = ${ticket_hash} and a.expires_at > now()`);

/**
 * Binds the login to the first browser that continues. Returns the sealed values of the login, or nothing for another
 * browser.
 */
export const bindBrowser = async (db: Db, workspace_id: string, id: string, browser_hash: string) =>
  (
    await db.row<{ secrets: string }>(sql`
      update mcp_authorizations set browser_hash = ${browser_hash}
      where workspace_id = ${workspace_id} and id = ${id} and coalesce(browser_hash, ${browser_hash}) = ${browser_hash}
        and expires_at > now()
      returning secrets`)
  )?.secrets;

/**
 * Deletes the login and returns it, so that it is used once even if the rest fails. Only the bound browser can take it.
 */
export const takeAuthorization = (db: Db, server_id: string, state_hash: string, browser_hashes: readonly string[]) =>
  db.row<AuthorizationRow>(sql`
    delete from mcp_authorizations where server_id = ${server_id} and state_hash = ${state_hash}
      and browser_hash = any(${[...browser_hashes]}::text[]) and expires_at > now()
    returning ${columns}`);
