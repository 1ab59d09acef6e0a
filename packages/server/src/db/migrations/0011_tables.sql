-- What is known of the tables that callers make. The tables themselves are in a schema for each workspace.

-- Refers to no workspace: the schemas and the role outlive its row until a job has removed them.
create table table_spaces (
  workspace_id uuid primary key,
  schema_name text not null unique,
  -- Views of the tables, without the columns that were dropped; the role sees these alone.
  read_schema_name text not null unique,
  -- None where the database user may not make roles.
  role_name text unique,
  created_at timestamptz(3) not null default now()
);

create table tables (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  name text not null,
  sql_name text not null,
  description text,
  id_type text not null check (id_type in ('uuid', 'autoincrement')),
  meta json not null default '{}',
  -- Rises with every change of the columns.
  version integer not null default 1,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  dropped_at timestamptz(3),
  primary key (workspace_id, id)
);
create unique index tables_by_sql_name on tables (workspace_id, sql_name) where dropped_at is null;
create index tables_dropped on tables (dropped_at) where dropped_at is not null;

create table table_columns (
  workspace_id uuid not null,
  table_id uuid not null,
  id uuid not null,
  position integer not null,
  name text not null,
  type text not null check (type in
    ('text', 'integer', 'number', 'boolean', 'date', 'datetime', 'json', 'uuid', 'reference')),
  label text,
  default_value text,
  references_table uuid,
  on_delete text check (on_delete in ('restrict', 'cascade', 'set_null')),
  indexed boolean not null default false,
  dropped_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, table_id) references tables on delete cascade
);
create unique index table_columns_by_name on table_columns (workspace_id, table_id, lower(name)) where dropped_at is null;
create index table_columns_of_table on table_columns (workspace_id, table_id, position);
create index table_columns_dropped on table_columns (dropped_at) where dropped_at is not null;
create index table_columns_references on table_columns (workspace_id, references_table) where references_table is not null;

-- Whether a text can be read as a type. Servers before 16 have no function for it.
do $$
begin
  if current_setting('server_version_num')::int >= 160000 then
    create function atrium_castable(input text, target text) returns boolean
      language sql stable as 'select pg_catalog.pg_input_is_valid(input, target)';
  else
    create function atrium_castable(input text, target text) returns boolean language plpgsql stable as '
      begin
        execute pg_catalog.format(''select %L::%s'', input, target::regtype);
        return true;
      exception when others then
        return false;
      end';
  end if;
end $$;
revoke execute on function atrium_castable(text, text) from public;

-- The platform's own records as tables. Each role of a workspace sees that workspace's, whatever it asks: the barrier
-- keeps conditions of a query from being tried on rows of others.
create schema atrium_platform;

create view atrium_platform.conversations with (security_barrier = true) as
  select id, name, status, assistant_id, user_id, manual, preview, chat_transport, is_locked, message_count,
    tokens_used, created_at, last_updated_at
  from conversations
  where workspace_id = (select workspace_id from table_spaces where role_name = current_user);

create view atrium_platform.messages with (security_barrier = true) as
  select id, conversation_id, seq, role, parts::json as parts, run_id, created_at
  from messages
  where superseded_by is null
    and workspace_id = (select workspace_id from table_spaces where role_name = current_user);

create view atrium_platform.runs with (security_barrier = true) as
  select id, conversation_id, kind, status, error, created_at, started_at, finished_at
  from runs
  where workspace_id = (select workspace_id from table_spaces where role_name = current_user);
