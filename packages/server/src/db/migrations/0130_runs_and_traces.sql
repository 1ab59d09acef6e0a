-- Feedback and violations of a workspace are found by agent, and by the person whose conversation they are of.
alter table feedback add column assistant_id uuid, add column person_id uuid;
alter table safety_violations add column assistant_id uuid, add column person_id uuid;
update feedback f set assistant_id = c.assistant_id, person_id = c.person_id
  from conversations c where c.workspace_id = f.workspace_id and c.id = f.conversation_id;
update safety_violations f set assistant_id = c.assistant_id, person_id = c.person_id
  from conversations c where c.workspace_id = f.workspace_id and c.id = f.conversation_id;

create function copy_agent_and_person() returns trigger language plpgsql as $$
begin
  select c.assistant_id, c.person_id into new.assistant_id, new.person_id
  from conversations c where c.workspace_id = new.workspace_id and c.id = new.conversation_id;
  return new;
end $$;
create trigger feedback_of_conversation before insert on feedback
  for each row execute function copy_agent_and_person();
create trigger violation_of_conversation before insert on safety_violations
  for each row execute function copy_agent_and_person();

create index feedback_by_time on feedback (workspace_id, id desc);
create index feedback_by_agent on feedback (workspace_id, assistant_id, id desc);
create index feedback_by_rating on feedback (workspace_id, rating, id desc) where rating is not null;
create index feedback_by_score on feedback (workspace_id, score, id desc) where score is not null;
create index feedback_by_person on feedback (workspace_id, person_id, id desc) where person_id is not null;
create index safety_violations_by_time on safety_violations (workspace_id, id desc);
create index safety_violations_by_agent on safety_violations (workspace_id, assistant_id, id desc);
create index safety_violations_by_category on safety_violations (workspace_id, category, id desc);
create index safety_violations_by_severity on safety_violations (workspace_id, severity, id desc);
create index safety_violations_by_person on safety_violations (workspace_id, person_id, id desc)
  where person_id is not null;

-- Who or what asked for a run, and the step of another run that it works for.
alter table runs
  add column assistant_id uuid,
  add column assistant_version_id uuid,
  add column person_id uuid generated always as (coalesce((principal ->> 'person_id')::uuid,
    case when principal #>> '{actor,kind}' = 'person' then (principal #>> '{actor,id}')::uuid end)) stored,
  add column trigger_id uuid generated always as (
    case when principal #>> '{actor,kind}' = 'trigger' then (principal #>> '{actor,id}')::uuid end) stored,
  add column parent_run_id uuid generated always as ((principal #>> '{parent,run_id}')::uuid) stored,
  add column parent_step_id text generated always as (principal #>> '{parent,step_id}') stored;
alter table workflow_runs
  add column person_id uuid generated always as (coalesce((principal ->> 'person_id')::uuid,
    case when principal #>> '{actor,kind}' = 'person' then (principal #>> '{actor,id}')::uuid end)) stored,
  add column trigger_id uuid generated always as (
    case when principal #>> '{actor,kind}' = 'trigger' then (principal #>> '{actor,id}')::uuid end) stored,
  add column parent_run_id uuid generated always as ((principal #>> '{parent,run_id}')::uuid) stored,
  add column parent_step_id text generated always as (principal #>> '{parent,step_id}') stored;

update runs r set assistant_id = c.assistant_id, assistant_version_id = c.assistant_version_id
  from conversations c where c.workspace_id = r.workspace_id and c.id = r.conversation_id and c.assistant_id is not null;
-- A run keeps the version that it was started with.
create function copy_agent_and_version() returns trigger language plpgsql as $$
begin
  select c.assistant_id, c.assistant_version_id into new.assistant_id, new.assistant_version_id
  from conversations c where c.workspace_id = new.workspace_id and c.id = new.conversation_id;
  return new;
end $$;
create trigger run_of_conversation before insert on runs for each row execute function copy_agent_and_version();

create index runs_by_agent on runs (workspace_id, assistant_id, id desc) where assistant_id is not null;
create index runs_by_version on runs (workspace_id, assistant_version_id, id desc) where assistant_version_id is not null;
create index runs_by_person on runs (workspace_id, person_id, id desc) where person_id is not null;
create index runs_by_trigger on runs (workspace_id, trigger_id, id desc) where trigger_id is not null;
create index runs_by_parent on runs (workspace_id, parent_run_id) where parent_run_id is not null;
create index workflow_runs_by_person on workflow_runs (workspace_id, person_id, id desc) where person_id is not null;
create index workflow_runs_by_trigger on workflow_runs (workspace_id, trigger_id, id desc) where trigger_id is not null;
create index workflow_runs_by_parent on workflow_runs (workspace_id, parent_run_id) where parent_run_id is not null;

-- The step of its run that a model was called in, and which try of one question the call was.
alter table model_calls
  add column parent_step_id text,
  add column first_try_id uuid,
  add column attempt smallint not null default 1;

-- What the model calls of each run have used, added up in the statement that stores them.
create table run_totals (
  workspace_id uuid not null references workspaces on delete cascade,
  run_id uuid not null,
  calls integer not null,
  input_tokens bigint not null,
  cached_tokens bigint not null,
  output_tokens bigint not null,
  reasoning_tokens bigint not null,
  tokens bigint generated always as (input_tokens + output_tokens) stored,
  -- In US dollars, of the calls whose price is known; null: of none.
  cost double precision,
  primary key (workspace_id, run_id)
);
insert into run_totals (workspace_id, run_id, calls, input_tokens, cached_tokens, output_tokens, reasoning_tokens, cost)
  select workspace_id, run_id, count(*), sum(input_tokens), sum(cached_tokens), sum(output_tokens),
    sum(reasoning_tokens), sum(cost)
  from model_calls where run_id is not null group by 1, 2;
create index run_totals_by_cost on run_totals (workspace_id, cost, run_id) where cost is not null;
create index run_totals_by_tokens on run_totals (workspace_id, tokens, run_id);

-- Totals go with their run.
create function delete_run_totals() returns trigger language plpgsql as $$
begin
  delete from run_totals t using gone where t.workspace_id = gone.workspace_id and t.run_id = gone.id;
  return null;
end $$;
create trigger totals_of_runs after delete on runs referencing old table as gone
  for each statement execute function delete_run_totals();
create trigger totals_of_workflow_runs after delete on workflow_runs referencing old table as gone
  for each statement execute function delete_run_totals();

-- What lists of runs show of each: names as they are now, and what it has used.
create view run_labels as
  select r.workspace_id, r.id as run_id, a.name as agent_name, v.number as version_number
  from runs r
    left join agents a on a.workspace_id = r.workspace_id and a.id = r.assistant_id
    left join agent_versions v on v.workspace_id = r.workspace_id and v.id = r.assistant_version_id;
create view run_figures as select * from run_totals;

-- Prompts of workflow runs are kept too, and go with their run.
alter table call_prompts alter column conversation_id drop not null;
alter table call_prompts add column workflow_run_id uuid;
alter table call_prompts add foreign key (workspace_id, workflow_run_id) references workflow_runs on delete cascade;
create index call_prompts_by_workflow_run on call_prompts (workspace_id, workflow_run_id)
  where workflow_run_id is not null;
alter table call_prompts add check (num_nonnulls(conversation_id, workflow_run_id) = 1);
