-- The operator's MCP programs that administrators have given to a workspace.
create table mcp_program_grants (
  workspace_id uuid not null references workspaces on delete cascade,
  name text not null,
  given_by text not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, name)
);
