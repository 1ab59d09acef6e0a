-- How much MCP clients want to hear, by the sessions in which they said so. Nothing else is kept of a session.
create table mcp_sessions (
  workspace_id uuid not null references workspaces on delete cascade,
  actor_id text not null,
  id text not null,
  -- From which level on they are sent log messages.
  level text not null,
  set_at timestamptz(3) not null default now(),
  primary key (workspace_id, actor_id, id)
);
