-- The agent or workflow that a record belongs to, by its name unless it was deleted, for callers who may see agents or workflows.
create function subject_of_record(workspace uuid, held text[], kind text, record text) returns json stable language sql as $$
  select coalesce(
    (select json_build_object('kind', 'agent', 'id', a.id, 'name', a.name) from agents a
     where held && array['agents_run', 'agents_edit', 'workspace_admin', 'org:admin'] and a.workspace_id = workspace
       and a.deleted_at is null and a.id = case kind
         when 'agent' then record::uuid
         when 'conversation' then (select c.assistant_id from conversations c
           where c.workspace_id = workspace and c.id = record::uuid)
         when 'run' then (select c.assistant_id from runs r
           join conversations c on c.workspace_id = r.workspace_id and c.id = r.conversation_id
           where r.workspace_id = workspace and r.id = record::uuid)
       end),
    (select json_build_object('kind', 'workflow', 'id', w.id, 'name', w.name) from workflows w
     where held && array['flows_run', 'flows_edit', 'workspace_admin', 'org:admin'] and w.workspace_id = workspace
       and w.deleted_at is null and w.id = case
         when kind = 'workflow' then record::uuid
         when kind in ('run', 'workflow_run') then (select r.workflow_id from workflow_runs r
           where r.workspace_id = workspace and r.id = record::uuid)
       end))
$$;
