-- Sets of questions that versions of an agent are tried with. Nothing of it is a conversation.
create table evaluations (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  agent_id uuid not null,
  name text not null,
  cases json not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, agent_id) references agents on delete cascade
);

create table evaluation_runs (
  workspace_id uuid not null,
  id uuid not null,
  evaluation_id uuid not null,
  version_id uuid not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed')),
  error text,
  -- As the set was when it was run.
  cases json not null,
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, evaluation_id) references evaluations on delete cascade
);
create index evaluation_runs_by_set on evaluation_runs (workspace_id, evaluation_id, id desc);

-- One for each case that is done: a run that was interrupted goes on after the last.
create table evaluation_results (
  workspace_id uuid not null,
  evaluation_run_id uuid not null,
  position integer not null,
  result json not null,
  primary key (workspace_id, evaluation_run_id, position),
  foreign key (workspace_id, evaluation_run_id) references evaluation_runs on delete cascade
);
