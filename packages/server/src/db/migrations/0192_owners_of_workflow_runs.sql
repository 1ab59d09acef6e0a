-- Runs that keys started before keys had owners of records: the owner is known by the key.
update workflow_runs r set principal = jsonb_set(r.principal::jsonb, '{record_owner_id}', to_jsonb(
    case when a.workspace_id is null then coalesce(k.line, k.id) else a.id end))::json
  from api_keys k join service_accounts a on a.id = k.service_account_id
  where r.principal #>> '{actor,kind}' = 'api_key' and k.id = (r.principal #>> '{actor,id}')::uuid
    and r.principal -> 'person_id' is null;

alter table workflow_runs
  -- The person or service account that started the run by hand. Null: a trigger or a visitor did, or it is not known.
  add column owner_id uuid generated always as (case when principal #>> '{actor,kind}' in ('person', 'api_key')
    then coalesce((principal ->> 'person_id')::uuid,
      case when principal #>> '{actor,kind}' = 'person' then (principal #>> '{actor,id}')::uuid end,
      (principal ->> 'record_owner_id')::uuid) end) stored,
  -- The first of the conversations that wait for the run: its readers are those of the run.
  add column conversation_id uuid generated always as ((principal #>> '{accounts,0,conversation_id}')::uuid) stored;
create index workflow_runs_of_owner on workflow_runs (workspace_id, owner_id, id desc) where owner_id is not null;

-- Workflow runs with what decides who may read them.
create view owned_runs (workspace_id, run_id, owner_id, conversation_id, trigger_id, status) as
  select workspace_id, id, owner_id, conversation_id, trigger_id, status from workflow_runs;

-- Events about a run of a workflow are for its owner, or for the owner of the conversation that waits for it.
create function owner_of_workflow_run(workspace uuid, run uuid) returns uuid stable language sql as $$
  select coalesce(owner_of_conversation(r.workspace_id, r.conversation_id), r.owner_id)
  from workflow_runs r where r.workspace_id = workspace and r.id = run
$$;
