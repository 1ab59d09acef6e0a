-- The live events of workspaces: what readers of GET /v1/events are sent. Written only while a workspace is watched, and
-- kept for a while, so that a reader that was cut off can go on.

create table event_feeds (
  workspace_id uuid primary key references workspaces on delete cascade,
  last_seq bigint not null default 0,
  -- From this number on nothing is missing.
  first_seq bigint not null default 1,
  watched_until timestamptz(3) not null
);

create table workspace_events (
  workspace_id uuid not null references workspaces on delete cascade,
  seq bigint not null,
  event text not null,
  kind text not null,
  target_id text,
  parent_kind text,
  parent_id text,
  actor_id text,
  -- The person whose conversation or request it is about; the rights of a reader who sees only their own.
  person_id uuid,
  -- Of a document: some people did not see it when it happened.
  hidden boolean not null default false,
  data json not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, seq)
);
create index workspace_events_old on workspace_events (created_at);

create or replace function someone_listens(workspace uuid, happened text) returns boolean stable language sql as $$
  select exists (select from event_feeds where workspace_id = workspace and watched_until > now())
    or exists (select from triggers where workspace_id = workspace and type = 'event' and enabled
      and event in (happened, split_part(happened, '.', 1)))
    or exists (select from webhooks where workspace_id = workspace and enabled
      and events && array[happened, split_part(happened, '.', 1)])
$$;

-- Events with `live:` are for readers of a workspace alone: no trigger or webhook subscribes to such a name. The
-- workspace is looked up since rows also go when their workspace is deleted.
create function publish_live(workspace uuid, happened text, details json) returns void language sql as $$
  insert into outbox (workspace_id, event, subject_id, cause, data)
  select f.workspace_id, 'live:' || happened, null, null, details
  from event_feeds f join workspaces w on w.id = f.workspace_id
  where f.workspace_id = workspace and f.watched_until > now()
$$;

create function person_of_conversation(workspace uuid, conversation uuid) returns uuid stable language sql as $$
  select person_id from conversations where workspace_id = workspace and id = conversation
$$;

create function publish_run_live() returns trigger language plpgsql as $$
begin
  perform publish_live(new.workspace_id,
    case when new.status = 'queued' then 'run.queued'
      when tg_op = 'UPDATE' and old.status = 'awaiting_human_feedback' then 'run.resumed' else 'run.started' end,
    json_build_object('run_id', new.id, 'conversation_id', new.conversation_id, 'actor_id', new.actor_id, 'status', new.status));
  return null;
end
$$;
create trigger runs_live_new after insert on runs for each row execute function publish_run_live();
create trigger runs_live after update of status on runs
  for each row when (old.status <> new.status and new.status = 'running') execute function publish_run_live();

create function publish_workflow_run_live() returns trigger language plpgsql as $$
begin
  perform publish_live(new.workspace_id,
    case when tg_op = 'UPDATE' and old.status = new.status then 'run.progress'
      when new.status = 'queued' then 'run.queued'
      when new.status = 'awaiting_human_feedback' then 'run.waiting'
      when tg_op = 'UPDATE' and old.status = 'awaiting_human_feedback' then 'run.resumed' else 'run.started' end,
    json_build_object('run_id', new.id, 'workflow_id', new.workflow_id, 'actor_id', new.principal -> 'actor' ->> 'id',
      'status', new.status, 'progress', new.progress));
  return null;
end
$$;
create trigger workflow_runs_live_new after insert on workflow_runs
  for each row execute function publish_workflow_run_live();
create trigger workflow_runs_live after update of status, progress on workflow_runs
  for each row when (new.finished_at is null and (old.status <> new.status or new.progress >= old.progress + 10))
  execute function publish_workflow_run_live();

create function publish_request_live() returns trigger language plpgsql as $$
begin
  perform publish_live(new.workspace_id, case when tg_op = 'INSERT' then 'approval.asked' else 'approval.answered' end,
    json_build_object('approval_id', new.id, 'run_id', new.run_id, 'conversation_id', new.conversation_id,
      'actor_id', new.decided_by, 'type', new.kind, 'status', new.status));
  return null;
end
$$;
create trigger human_requests_live_new after insert on human_requests
  for each row execute function publish_request_live();
create trigger human_requests_live after update of status on human_requests
  for each row when (old.status <> new.status) execute function publish_request_live();

create function publish_workflow_approval_live() returns trigger language plpgsql as $$
begin
  perform publish_live(new.workspace_id, case when tg_op = 'INSERT' then 'approval.asked' else 'approval.answered' end,
    json_build_object('approval_id', new.id, 'run_id', new.run_id, 'actor_id', new.decided_by_id, 'type', 'step',
      'workflow_id', (select r.workflow_id from workflow_runs r where r.workspace_id = new.workspace_id and r.id = new.run_id),
      'status', case new.decision when 'approve' then 'approved' when 'reject' then 'rejected' else 'pending' end));
  return null;
end
$$;
create trigger workflow_approvals_live_new after insert on workflow_approvals
  for each row execute function publish_workflow_approval_live();
create trigger workflow_approvals_live after update of decision on workflow_approvals
  for each row when (old.decision is distinct from new.decision) execute function publish_workflow_approval_live();

create function publish_unlock_request_live() returns trigger language plpgsql as $$
begin
  perform publish_live(new.workspace_id, case when tg_op = 'INSERT' then 'approval.asked' else 'approval.answered' end,
    json_build_object('approval_id', new.id, 'agent_id', new.agent_id, 'person_id', new.asked_by, 'type', 'unlock',
      'actor_id', case when tg_op = 'INSERT' then new.asked_by else new.decided_by end, 'status', new.status));
  return null;
end
$$;
create trigger agent_unlock_requests_live_new after insert on agent_unlock_requests
  for each row execute function publish_unlock_request_live();
create trigger agent_unlock_requests_live after update of status on agent_unlock_requests
  for each row when (old.status <> new.status) execute function publish_unlock_request_live();

create function publish_conversation_live() returns trigger language plpgsql as $$
declare about conversations := case when tg_op = 'DELETE' then old else new end;
begin
  perform publish_live(about.workspace_id,
    case tg_op when 'INSERT' then 'conversation.created' when 'DELETE' then 'conversation.deleted' else 'conversation.renamed' end,
    json_build_object('conversation_id', about.id, 'person_id', about.person_id,
      'actor_id', case when tg_op = 'INSERT' then about.created_by end));
  return null;
end
$$;
create trigger conversations_live_new after insert or delete on conversations
  for each row execute function publish_conversation_live();
create trigger conversations_live after update of name on conversations
  for each row when (old.name is distinct from new.name) execute function publish_conversation_live();

create function publish_document_live() returns trigger language plpgsql as $$
begin
  perform publish_live(new.workspace_id, 'document.progress', json_build_object('knowledge_base_id', new.kb_id,
    'document_id', new.id, 'status', new.status, 'stage', new.stage, 'progress', new.progress));
  return null;
end
$$;
-- What has come to its end is published as document.trained and document.failed.
create trigger kb_documents_live after update of status, stage, progress on kb_documents
  for each row when (new.status = 'training'
    and (old.status <> new.status or old.stage <> new.stage or new.progress >= old.progress + 10))
  execute function publish_document_live();

-- Many at once are one event of their knowledge base.
create function publish_documents_live() returns trigger language plpgsql as $$
declare happened text := case tg_op when 'INSERT' then 'document.created' else 'document.deleted' end;
begin
  if (select count(*) from (select from changed limit 101) as counted) <= 100 then
    perform publish_live(d.workspace_id, happened, json_build_object('knowledge_base_id', d.kb_id, 'document_id', d.id,
      'status', d.status, 'stage', d.stage, 'hidden', d.rights_id is not null)) from changed d;
  else
    perform publish_live(d.workspace_id, 'knowledge_base.documents_changed',
      json_build_object('knowledge_base_id', d.kb_id, 'count', count(*))) from changed d group by d.workspace_id, d.kb_id;
  end if;
  return null;
end
$$;
create trigger kb_documents_live_new after insert on kb_documents
  referencing new table as changed for each statement execute function publish_documents_live();
create trigger kb_documents_live_gone after delete on kb_documents
  referencing old table as changed for each statement execute function publish_documents_live();

create function publish_knowledge_base_live() returns trigger language plpgsql as $$
begin
  perform publish_live(new.workspace_id, 'knowledge_base.status',
    json_build_object('knowledge_base_id', new.id, 'status', new.status));
  return null;
end
$$;
create trigger knowledge_bases_live after update of status on knowledge_bases
  for each row when (old.status <> new.status) execute function publish_knowledge_base_live();

create function publish_ingestion_run_live() returns trigger language plpgsql as $$
begin
  perform publish_live(new.workspace_id, 'ingestion_run.progress', json_build_object('knowledge_base_id', new.kb_id,
    'ingestion_run_id', new.id, 'type', new.kind, 'status', new.status, 'stage', new.stage, 'progress', new.progress));
  return null;
end
$$;
create trigger kb_runs_live_new after insert on kb_runs
  for each row when (new.kind <> 'train') execute function publish_ingestion_run_live();
create trigger kb_runs_live after update of status, stage, progress on kb_runs
  for each row when (new.kind <> 'train'
    and (old.status <> new.status or old.stage <> new.stage or new.progress >= old.progress + 10))
  execute function publish_ingestion_run_live();

create function publish_evaluation_run_live() returns trigger language plpgsql as $$
begin
  perform publish_live(new.workspace_id, 'evaluation_run.status', json_build_object('evaluation_id', new.evaluation_id,
    'evaluation_run_id', new.id, 'status', new.status));
  return null;
end
$$;
create trigger evaluation_runs_live_new after insert on evaluation_runs
  for each row execute function publish_evaluation_run_live();
create trigger evaluation_runs_live after update of status on evaluation_runs
  for each row when (old.status <> new.status) execute function publish_evaluation_run_live();

create function publish_evaluation_result_live() returns trigger language plpgsql as $$
begin
  perform publish_live(r.workspace_id, 'evaluation_run.progress', json_build_object('evaluation_id', r.evaluation_id,
    'evaluation_run_id', r.id, 'status', r.status, 'count', new.position + 1))
  from evaluation_runs r where r.workspace_id = new.workspace_id and r.id = new.evaluation_run_id;
  return null;
end
$$;
create trigger evaluation_results_live after insert on evaluation_results
  for each row execute function publish_evaluation_result_live();

-- A channel that stops delivering, and one that delivers again.
create function publish_channel_live() returns trigger language plpgsql as $$
begin
  perform publish_live(new.workspace_id,
    case when new.last_error is null then 'deployment.recovered' else 'deployment.failing' end,
    json_build_object('deployment_id', new.id, 'agent_id', new.agent_id, 'type', new.channel));
  return null;
end
$$;
create trigger deployments_live after update of last_error on deployments
  for each row when ((old.last_error is null) <> (new.last_error is null)) execute function publish_channel_live();

-- Jobs about people and workspaces are of the organization: readers in all of its workspaces are told.
create function publish_data_job_live() returns trigger language plpgsql as $$
begin
  perform publish_live(w.id, 'data_job.progress', json_build_object('data_job_id', new.id, 'type', new.kind,
    'status', new.status, 'progress', round(new.progress * 100), 'person_id', new.created_by))
  from event_feeds f join workspaces w on w.id = f.workspace_id where w.tenant_id = new.tenant_id;
  return null;
end
$$;
create trigger data_jobs_live_new after insert on data_jobs for each row execute function publish_data_job_live();
create trigger data_jobs_live after update of status, progress on data_jobs
  for each row when (old.status <> new.status or new.progress >= old.progress + 0.1)
  execute function publish_data_job_live();

-- Changes of configuration, with who made them. Those of the organization are told in all of its workspaces.
create function publish_audit_live() returns trigger language plpgsql as $$
begin
  perform publish_live(w.id, 'changed', json_build_object('operation', new.operation, 'target_kind', new.target_kind,
    'target_id', new.target_id, 'parent_kind', new.parent_kind, 'parent_id', new.parent_id, 'actor_id', new.actor_id))
  from event_feeds f join workspaces w on w.id = f.workspace_id
  where w.tenant_id = new.tenant_id and (new.workspace_id is null or w.id = new.workspace_id);
  return null;
end
$$;
create trigger audit_log_live after insert on audit_log
  for each row when (new.outcome = 'done' and new.target_kind is not null) execute function publish_audit_live();
