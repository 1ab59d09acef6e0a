-- The history of rows: one change for each write, and the rows that it wrote with their cells before and after. Takes the
-- place of table_row_changes, which had the last change alone.
create table table_changes (
  workspace_id uuid not null,
  table_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('insert', 'update', 'upsert', 'delete', 'import', 'restore', 'undo')),
  created integer not null default 0,
  updated integer not null default 0,
  deleted integer not null default 0,
  -- Rows of other tables that referred to deleted ones.
  cascaded integer not null default 0,
  -- Whether table_row_history has all rows; that of a large import has none.
  has_rows boolean not null default true,
  undoes uuid,
  run_id text,
  changed_at timestamptz(3) not null default now(),
  changed_by uuid default current_actor(),
  primary key (workspace_id, id),
  foreign key (workspace_id, table_id) references tables on delete cascade
);
create index table_changes_of_table on table_changes (workspace_id, table_id, id);
create index table_changes_by_time on table_changes (changed_at);
create index table_changes_by_actor on table_changes (workspace_id, changed_by, id) where changed_by is not null;
create index table_changes_undone on table_changes (workspace_id, undoes) where undoes is not null;

-- Cells are keyed by the position of their column, which stays when the column is renamed. A created row has no cells
-- here: they are those of the row, with later changes taken back.
create table table_row_history (
  workspace_id uuid not null,
  table_id uuid not null,
  row_id text not null,
  change_id uuid not null,
  kind text not null check (kind in ('created', 'updated', 'deleted')),
  before jsonb,
  after jsonb,
  primary key (workspace_id, table_id, row_id, change_id),
  foreign key (workspace_id, change_id) references table_changes on delete cascade
);
create index table_row_history_of_change on table_row_history (workspace_id, change_id);

drop table table_row_changes;
