-- runs with: 0150
-- The versions of records that are set as a whole go with the agent, the knowledge base, the workspace or the organization
-- that they belong to. Every key begins with the id of the workspace, the organization or the person.
create index record_versions_by_owner on record_versions (left(key, 36));

create function forget_record_versions() returns trigger language plpgsql as $$
begin
  if tg_nargs = 0 then
    delete from record_versions where left(key, 36) = old.id::text;
  else
    delete from record_versions where kind = tg_argv[0] and key = (to_jsonb(old) ->> 'workspace_id') || '/' || old.id;
  end if;
  return null;
end
$$;

-- The rows that refer to these are deleted first: the triggers of foreign keys have names that come before.
create trigger forget_record_versions after delete on tenants for each row execute function forget_record_versions();
create trigger forget_record_versions after delete on workspaces for each row execute function forget_record_versions();
create trigger forget_record_versions after delete on people for each row execute function forget_record_versions();
create trigger forget_record_versions after delete on agents
  for each row execute function forget_record_versions('publish_gates');
create trigger forget_record_versions after delete on knowledge_bases
  for each row execute function forget_record_versions('kb_folder_rights');

-- Of records that were deleted before this.
delete from record_versions v where case v.kind
  when 'publish_gates' then not exists (select from agents a where v.key = a.workspace_id || '/' || a.id)
  when 'kb_folder_rights' then not exists (select from knowledge_bases b where v.key = b.workspace_id || '/' || b.id)
  when 'mcp_program_grants' then not exists (select from workspaces w where left(v.key, 36) = w.id::text)
  when 'preferences' then not exists (select from people p where left(v.key, 36) = p.id::text)
  else not exists (select from tenants t where left(v.key, 36) = t.id::text) end;
