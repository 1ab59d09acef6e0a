-- Tools that a server has changed or added since its tools were first seen are held back until a person has accepted them.

-- When its tools were first seen; they count as accepted. Whatever comes later does not.
alter table mcp_servers add column met_at timestamptz(3);
update mcp_servers set met_at = created_at
where exists (select from mcp_tools where mcp_tools.workspace_id = mcp_servers.workspace_id and server_id = mcp_servers.id);

alter table mcp_tools
  -- Null where no definition has been accepted yet.
  alter column hash drop not null,
  -- What a person looks at before accepting: the accepted definition and the one that is held back, as JSON.
  add column definition text,
  add column held_definition text,
  add column accepted_at timestamptz(3),
  add column accepted_by text;
