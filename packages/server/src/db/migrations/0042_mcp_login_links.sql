-- A login begins at an address of ours, whose page says what it is for; whoever goes on from there is known by a cookie.
-- Logins that are under way are begun again: they have neither.
delete from mcp_authorizations;
alter table mcp_authorizations
  add column ticket_hash text not null unique,
  add column browser_hash text;
