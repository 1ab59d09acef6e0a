-- The key that saved a definition, or the first of its line where it was rotated: nodes that read variables are run only as
-- long as it holds the permission. Null: saved before this was recorded, or by something else than a key.
alter table workflow_graphs add column saved_by uuid;

create index api_keys_by_id on api_keys (id);
create index api_keys_by_line on api_keys (line) where line is not null;
