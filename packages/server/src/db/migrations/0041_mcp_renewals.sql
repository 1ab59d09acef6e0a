-- Which attempt is asking for a new token, and until when the others wait for it: no row is locked meanwhile.
alter table mcp_servers
  add column renewal uuid,
  add column renewal_until timestamptz(3);
