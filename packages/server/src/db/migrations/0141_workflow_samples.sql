-- Outputs of steps that are kept with a workflow, to try single steps and expressions with.
create table workflow_samples (
  workspace_id uuid not null,
  workflow_id uuid not null,
  node_id text not null,
  -- JSON, encrypted at rest like the values of runs.
  outputs text not null,
  bytes integer not null,
  -- The run that they come from.
  run_id uuid,
  -- Whose run it was, who decided in it, and every id that the values have: what names a person who is erased is deleted.
  mentions uuid[] not null,
  saved_by uuid default current_actor(),
  saved_at timestamptz(3) not null default now(),
  primary key (workspace_id, workflow_id, node_id),
  foreign key (workspace_id, workflow_id) references workflows on delete cascade
);
create index workflow_samples_mentions on workflow_samples using gin (mentions);
