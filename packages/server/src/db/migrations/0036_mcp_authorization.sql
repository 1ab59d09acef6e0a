-- Logging in to MCP servers by a browser: which authorization server a login belongs to, and logins that are under way.

alter table mcp_servers
  drop constraint mcp_servers_grant_type_check,
  add constraint mcp_servers_grant_type_check
    check (grant_type in ('client_credentials', 'refresh_token', 'authorization_code')),
  add column issuer text;

create table mcp_authorizations (
  workspace_id uuid not null,
  id uuid not null,
  server_id uuid not null,
  -- Of the value that the browser brings back; it is good once.
  state_hash text not null unique,
  issuer text not null,
  -- Whether the authorization server says who it is when it sends the browser back.
  names_issuer boolean not null,
  token_url text not null,
  client_id text not null,
  scope text,
  redirect_uri text not null,
  -- What proves that the code was asked for here, and the client's secret, as one sealed JSON object.
  secrets text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, server_id) references mcp_servers on delete cascade
);
