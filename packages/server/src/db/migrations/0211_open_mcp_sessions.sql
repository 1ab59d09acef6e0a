-- Every session of an MCP client has a row from initialize on; a request with another session id is answered 404.
alter table mcp_sessions alter column level drop not null;
create index mcp_sessions_by_age on mcp_sessions (set_at);
