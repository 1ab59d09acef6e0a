import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** A login that is under way: somebody has been sent to log in, and has not come back yet. */
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

const columns = sql`workspace_id, id, server_id, issuer, names_issuer, token_url, client_id, scope, redirect_uri, secrets`;

/** Those that nobody came back from are cleared away with it. */
export const insertAuthorization = (db: Db, row: AuthorizationRow & { state_hash: string; expires_at: string }) =>
  db.run(sql`
    with old as (delete from mcp_authorizations where expires_at < now())
    insert into mcp_authorizations (${columns}, state_hash, expires_at)
    values (${row.workspace_id}, ${row.id}, ${row.server_id}, ${row.issuer}, ${row.names_issuer}, ${row.token_url},
      ${row.client_id}, ${row.scope}, ${row.redirect_uri}, ${row.secrets}, ${row.state_hash}, ${row.expires_at})`);

/** It is gone by being taken, whatever comes of it. */
export const takeAuthorization = (db: Db, server_id: string, state_hash: string) =>
  db.row<AuthorizationRow>(sql`
    delete from mcp_authorizations where server_id = ${server_id} and state_hash = ${state_hash} and expires_at > now()
    returning ${columns}`);
