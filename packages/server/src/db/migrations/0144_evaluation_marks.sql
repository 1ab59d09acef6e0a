-- What people think of the results of evaluations, beside the verdict of the machine.
create table evaluation_marks (
  workspace_id uuid not null,
  evaluation_run_id uuid not null,
  position integer not null,
  marked_by uuid not null,
  id uuid not null,
  passed boolean not null,
  note text,
  marked_at timestamptz(3) not null default now(),
  primary key (workspace_id, evaluation_run_id, position, marked_by),
  foreign key (workspace_id, evaluation_run_id, position) references evaluation_results on delete cascade
);
create index evaluation_marks_by_actor on evaluation_marks (marked_by, id);

-- Progress needs the number of cases, and the cases may be encrypted. Null in runs of before.
alter table evaluation_runs
  add column case_count integer,
  -- A run of settings that are no version: those of a draft, or of a change that is about to be published.
  alter column version_id drop not null,
  add column definition text,
  add column restricted_settings text[] not null default '{}',
  -- Finds a run of the same settings. Null in runs of before.
  add column settings_digest text,
  add check (version_id is not null or definition is not null);
create index evaluation_runs_by_settings on evaluation_runs (workspace_id, evaluation_id, settings_digest, id desc);

create or replace function publish_evaluation_result_live() returns trigger language plpgsql as $$
begin
  perform publish_live(r.workspace_id, 'evaluation_run.progress', json_build_object('evaluation_id', r.evaluation_id,
    'evaluation_run_id', r.id, 'status', r.status, 'count', new.position + 1,
    'progress', round(100.0 * (new.position + 1) / nullif(r.case_count, 0))))
  from evaluation_runs r where r.workspace_id = new.workspace_id and r.id = new.evaluation_run_id;
  return null;
end
$$;

-- The evaluation that the versions of an agent must pass before they are published.
create table publish_gates (
  workspace_id uuid not null,
  agent_id uuid not null,
  evaluation_id uuid not null,
  threshold double precision not null check (threshold > 0 and threshold <= 1),
  set_by uuid,
  set_at timestamptz(3) not null default now(),
  primary key (workspace_id, agent_id),
  foreign key (workspace_id, agent_id) references agents on delete cascade,
  foreign key (workspace_id, evaluation_id) references evaluations
);
create index publish_gates_by_evaluation on publish_gates (workspace_id, evaluation_id);

-- Who published a version that had not passed, and why.
alter table agent_versions
  add column override_reason text,
  add column override_by uuid,
  add column override_at timestamptz(3);
