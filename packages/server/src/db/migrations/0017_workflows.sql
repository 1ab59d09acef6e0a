-- Workflows: what is drawn, its versions, and runs with their journals.

-- A definition as it was sent. Never changed: a run goes on with the one it began with.
create table workflow_graphs (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  definition text not null,
  primary key (workspace_id, id)
);

create table workflows (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  name text not null,
  type text not null check (type in ('flow', 'agent_flow')),
  graph_id uuid not null,
  -- False when it was stored by force: it can be changed but not run.
  valid boolean not null,
  error_handler uuid,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, graph_id) references workflow_graphs
);
create index workflows_by_age on workflows (workspace_id, id desc) where deleted_at is null;

create table workflow_versions (
  workspace_id uuid not null,
  id uuid not null,
  workflow_id uuid not null,
  name text not null,
  description text,
  graph_id uuid not null,
  valid boolean not null,
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, workflow_id) references workflows on delete cascade,
  foreign key (workspace_id, graph_id) references workflow_graphs
);
create index workflow_versions_by_workflow on workflow_versions (workspace_id, workflow_id, id desc);

create table workflow_runs (
  workspace_id uuid not null,
  id uuid not null,
  workflow_id uuid not null,
  workflow_version_id uuid,
  graph_id uuid not null,
  status text not null check (status in
    ('queued', 'running', 'completed', 'failed', 'stopped', 'awaiting_human_feedback')),
  input json not null,
  output json,
  error json,
  progress integer not null default 0,
  -- Only of a run that is over; until then it follows from the journal.
  progress_details json,
  node_ids text[],
  single_node_id text,
  tracing boolean not null default false,
  callback_url text,
  -- The run whose finished steps this one began with.
  retry_of uuid,
  -- The run whose failure this one deals with.
  handles_run uuid,
  principal json not null,
  -- Whoever holds the lease carries the run. One that waits for a time has no holder and a lease until then.
  node_id uuid,
  leased_until timestamptz(3),
  stop_requested boolean not null default false,
  last_seq integer not null default 0,
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, workflow_id) references workflows on delete cascade
);
create index workflow_runs_by_workflow on workflow_runs (workspace_id, workflow_id, id desc);
create index workflow_runs_unfinished on workflow_runs (leased_until)
  where status in ('running', 'awaiting_human_feedback');
create index workflow_runs_waiting on workflow_runs (workspace_id, id) where status = 'queued';

-- What happened in a run: each row holds the events of one write, as a JSON array, numbered from first_seq on.
create table workflow_journal (
  workspace_id uuid not null,
  run_id uuid not null,
  first_seq integer not null,
  events text not null,
  primary key (workspace_id, run_id, first_seq),
  foreign key (workspace_id, run_id) references workflow_runs on delete cascade
);

-- Values too large for the journal, which names them by their number.
create table workflow_values (
  workspace_id uuid not null,
  run_id uuid not null,
  id uuid not null,
  value text not null,
  primary key (workspace_id, run_id, id),
  foreign key (workspace_id, run_id) references workflow_runs on delete cascade
);

create table workflow_approvals (
  workspace_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  -- The step that waits.
  path text not null,
  node_id text not null,
  question text not null,
  details text not null,
  decision text check (decision in ('approve', 'reject')),
  note text,
  decided_by text,
  created_at timestamptz(3) not null default now(),
  decided_at timestamptz(3),
  expires_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, run_id) references workflow_runs on delete cascade
);
-- A step asks once, also when it is begun again after a crash.
create unique index workflow_approvals_by_step on workflow_approvals (workspace_id, run_id, path);

-- What callbacks are signed with: one secret for each workspace.
create table workflow_callback_keys (
  workspace_id uuid primary key references workspaces on delete cascade,
  sealed text not null
);
