-- The triggers of a workspace are listed without those whose agent or workflow is deleted.
alter table triggers add column target_deleted boolean not null default false;

update triggers t set target_deleted = true
  where (target_kind = 'agent' and exists (
      select from agents a where a.workspace_id = t.workspace_id and a.id = t.target_id and a.deleted_at is not null))
    or (target_kind = 'workflow' and exists (
      select from workflows w where w.workspace_id = t.workspace_id and w.id = t.target_id and w.deleted_at is not null));

-- `updated_at` stays, and with it the etag: a deletion of the target is no change of the trigger.
create function note_target_deleted() returns trigger language plpgsql as $$ begin
  update triggers set target_deleted = new.deleted_at is not null
    where workspace_id = new.workspace_id and target_kind = tg_argv[0] and target_id = new.id;
  return null;
end $$;
create trigger note_target_deleted after update of deleted_at on agents for each row
  when (old.deleted_at is distinct from new.deleted_at) execute function note_target_deleted('agent');
create trigger note_target_deleted after update of deleted_at on workflows for each row
  when (old.deleted_at is distinct from new.deleted_at) execute function note_target_deleted('workflow');

create index triggers_of_workspace on triggers (workspace_id, id) where not target_deleted;
