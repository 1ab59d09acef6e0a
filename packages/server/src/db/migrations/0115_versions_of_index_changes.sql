-- Rises with every change of the same kind: the index drops only the change that it has followed, not one that came meanwhile.
alter table kb_index_changes add column version bigint not null default 0;

create or replace function kb_documents_set_rights() returns trigger as $$
begin
  new.rights_id := kb_rights_for(new.workspace_id, new.kb_id, new.prefix, new.visible_to);
  if tg_op = 'UPDATE' and new.rights_id is distinct from old.rights_id and new.indexed then
    insert into kb_index_changes (workspace_id, kb_id, document_id, change)
      values (new.workspace_id, new.kb_id, new.id, 'rights')
      on conflict (workspace_id, kb_id, document_id, change) do update set version = kb_index_changes.version + 1;
  end if;
  return new;
end $$ language plpgsql;
