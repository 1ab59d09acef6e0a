-- The bytes that a workspace keeps besides its files: texts of messages and runs, prompts, rows of tables.
create table stored_bytes (
  workspace_id uuid primary key references workspaces on delete cascade,
  -- As a job has measured them.
  message_bytes bigint not null default 0,
  log_bytes bigint not null default 0,
  row_bytes bigint not null default 0,
  -- Counted by the processes that stored them, since the last measurement.
  added_bytes bigint not null default 0,
  -- When something was first stored or deleted after the last measurement.
  changed_at timestamptz(3) default now(),
  measured_at timestamptz(3),
  measure_ms integer not null default 0,
  state text not null default 'ok' check (state in ('ok', 'near', 'full', 'over_default')),
  -- The default quota does not hold: the workspace kept more than that when the default came.
  waived boolean not null default false
);
insert into stored_bytes (workspace_id, waived) select id, true from workspaces;

create function count_stored_bytes() returns trigger language plpgsql as $$
begin
  insert into stored_bytes (workspace_id) values (new.id) on conflict do nothing;
  return null;
end $$;
create trigger workspace_stored_bytes after insert on workspaces for each row execute function count_stored_bytes();

-- Workspaces in which conversations were deleted. Rows of its own, without keys: deletions must not wait for each other.
create table freed_bytes (workspace_id uuid not null);
create function note_freed_bytes() returns trigger language plpgsql as $$
begin
  insert into freed_bytes select distinct workspace_id from gone;
  return null;
end $$;
create trigger conversation_bytes_freed after delete on conversations
  referencing old table as gone for each statement execute function note_freed_bytes();
