-- Requests a minute and open event streams that a key or a person may have; none: as many as the server lets every caller have.
alter table api_keys add column stream_limit integer check (stream_limit > 0);
alter table people
  add column rate_limit integer check (rate_limit > 0),
  add column stream_limit integer check (stream_limit > 0);
