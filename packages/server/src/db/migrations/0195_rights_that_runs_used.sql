-- Sets of rights of documents that a run, or a run below it, has read. Readers of the run who lack one see no content of it.
create table run_rights (
  workspace_id uuid not null references workspaces on delete cascade,
  run_id uuid not null,
  rights_id integer not null,
  primary key (workspace_id, run_id, rights_id)
);
