-- What steps of workflows have done in this database, by the key of the step: written by the transaction that does it.
create table workflow_effects (
  workspace_id uuid not null references workspaces on delete cascade,
  key text not null,
  answer json not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, key)
);
create index workflow_effects_age on workflow_effects (created_at);
