-- Runs of both kinds with whom they belong to and names as they are now; for lists of runs and for traces.
drop view run_labels;
create view run_labels as
  select r.workspace_id, r.id as run_id, 'conversation' as kind, r.conversation_id, null::uuid as workflow_id,
    r.status, r.created_at, r.started_at, r.finished_at,
    r.assistant_id, a.name as agent_name, r.assistant_version_id, v.number as version_number,
    r.person_id, r.trigger_id, r.principal #>> '{actor,id}' as actor_id, r.parent_run_id, r.parent_step_id
  from runs r
    left join agents a on a.workspace_id = r.workspace_id and a.id = r.assistant_id
    left join agent_versions v on v.workspace_id = r.workspace_id and v.id = r.assistant_version_id
  union all
  select w.workspace_id, w.id, 'workflow', null, w.workflow_id, w.status, w.created_at, w.started_at, w.finished_at,
    null, null, null, null, w.person_id, w.trigger_id, w.principal #>> '{actor,id}', w.parent_run_id, w.parent_step_id
  from workflow_runs w;
