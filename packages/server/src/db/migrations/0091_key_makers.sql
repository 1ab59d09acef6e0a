-- Who made a key; null for keys that are older. A key that made another keeps its name here after it is revoked. People
-- are known by their ids alone: their names are read where they are kept.
alter table api_keys
  add column created_by_id uuid,
  add column created_by_kind text check (created_by_kind in ('api_key', 'person')),
  add column created_by_name text;
create index api_keys_by_end on api_keys (tenant_id, expires_at, id);
