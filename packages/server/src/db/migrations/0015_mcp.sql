-- MCP servers that agents of a workspace have met, how to log in to them, and what their tools looked like first.

create table mcp_servers (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  -- As settings name it: handles of secrets in it are not filled in.
  url text not null,
  -- How its tokens are had; null where it needs none.
  grant_type text check (grant_type in ('client_credentials', 'refresh_token')),
  token_url text,
  client_id text,
  scope text,
  -- The client's secret, the refresh token and the token in use, as one sealed JSON object.
  secrets text,
  token_expires_at timestamptz(3),
  -- Why there is no token, when there should be one.
  last_error text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);
create unique index mcp_servers_by_url on mcp_servers (workspace_id, url);

create table mcp_tools (
  workspace_id uuid not null,
  server_id uuid not null,
  name text not null,
  -- Of the definition that is accepted, and of the one that was seen last where that is another.
  hash text not null,
  changed_hash text,
  first_seen_at timestamptz(3) not null default now(),
  changed_at timestamptz(3),
  primary key (workspace_id, server_id, name),
  foreign key (workspace_id, server_id) references mcp_servers on delete cascade
);
