-- Versions of records that PUT replaces as a whole and that are several rows, or none before they are first set.
create table record_versions (
  kind text not null,
  -- The ids of the record with a slash between them, that of its workspace or organization first.
  key text not null,
  etag bigint not null default first_etag(),
  etag_by uuid default current_actor(),
  -- All that one transaction does to a record is one change.
  changed_in xid8 not null default pg_current_xact_id(),
  primary key (kind, key)
);

create function touch_record(record_kind text, record_key text) returns void language sql as $$
  insert into record_versions as v (kind, key) values (record_kind, record_key)
  on conflict (kind, key) do update
    set etag = greatest(v.etag + 1, first_etag()), etag_by = current_actor(), changed_in = pg_current_xact_id()
    where v.changed_in <> pg_current_xact_id()
$$;

-- The arguments are the columns of the key. The version goes with its person, and stays when a setting is taken back.
create function touch_record_of_row() returns trigger language plpgsql as $$
declare
  changed jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
  record_key text := (select string_agg(changed ->> name, '/' order by place)
    from unnest(tg_argv) with ordinality as columns (name, place));
begin
  if tg_op = 'DELETE' and tg_table_name = 'preferences' then
    delete from record_versions where kind = tg_table_name and key = record_key;
  elsif tg_op <> 'DELETE' or exists (select from record_versions where kind = tg_table_name and key = record_key) then
    perform touch_record(tg_table_name, record_key);
  end if;
  return null;
end
$$;

create trigger touch_record after insert or update or delete on model_defaults
  for each row execute function touch_record_of_row('tenant_id');
create trigger touch_record after insert or update or delete on model_presets
  for each row execute function touch_record_of_row('tenant_id', 'name');
create trigger touch_record after insert or update or delete on mcp_program_grants
  for each row execute function touch_record_of_row('workspace_id');
create trigger touch_record after insert or update or delete on kb_folder_rights
  for each row execute function touch_record_of_row('workspace_id', 'kb_id');
create trigger touch_record after insert or update or delete on publish_gates
  for each row execute function touch_record_of_row('workspace_id', 'agent_id');
create trigger touch_record after insert or update or delete on preferences
  for each row execute function touch_record_of_row('person_id');
