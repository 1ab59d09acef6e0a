-- What whoever saved a definition was allowed to: runs of it may do no more. Null for one that is older.
alter table workflow_graphs add column rights text[];
-- Since when another has its place: what runs are inside of stays until they are gone.
alter table workflow_graphs add column replaced_at timestamptz(3);
create index workflow_graphs_replaced on workflow_graphs (replaced_at) where replaced_at is not null;

-- Who may decide what a step asks.
alter table workflow_approvals
  add column needs text not null default 'flows_run',
  add column four_eyes boolean not null default false;

-- Runs that are over are deleted after a while, the oldest first, and with them those that went on from them.
create index workflow_runs_over on workflow_runs (finished_at) where finished_at is not null;
create index workflow_runs_by_first on workflow_runs (workspace_id, retry_of) where retry_of is not null;
