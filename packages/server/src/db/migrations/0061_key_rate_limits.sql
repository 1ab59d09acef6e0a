-- Requests that a key may make in a minute; none: as many as the server lets every key make.
alter table api_keys add column rate_limit integer check (rate_limit > 0);
