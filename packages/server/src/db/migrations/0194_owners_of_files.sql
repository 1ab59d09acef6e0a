alter table files
  -- The person or service account that brought the file. Null: a visitor or a trigger did, or it is not known.
  add column owner_id uuid,
  -- It was made in a conversation, or sent with a message: it goes with the last conversation that has it.
  add column of_conversation boolean not null default false,
  -- The workflow run that made it: its readers are those of the run.
  add column run_id uuid,
  -- Kinds of records of the workspace that refer to it: it has their readers.
  add column shared_with text[] not null default '{}' check (shared_with <@ array['agent', 'workflow', 'knowledge_base']);

-- The conversations that have a file: their readers are those of the file.
create table file_conversations (
  workspace_id uuid not null,
  file_id uuid not null,
  conversation_id uuid not null,
  primary key (workspace_id, file_id, conversation_id),
  foreign key (workspace_id, file_id) references files on delete cascade,
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
);
create index file_conversations_by_conversation on file_conversations (workspace_id, conversation_id);

create function has_conversation(workspace uuid, conversation uuid) returns boolean stable language sql as $$
  select exists (select from conversations where workspace_id = workspace and id = conversation)
$$;

-- What is known of files from before.
update files f set owner_id = coalesce(
    (select p.id from people p where p.id::text = f.created_by),
    (select case when a.workspace_id is null then coalesce(k.line, k.id) else a.id end
      from api_keys k join service_accounts a on a.id = k.service_account_id where k.id::text = f.created_by),
    (select k.person_id from api_keys k where k.id::text = f.created_by)),
  shared_with = case when f.source_metadata ->> 'kb_id' is not null then array['knowledge_base'] else '{}' end,
  of_conversation = f.source_metadata ->> 'conversation_id' is not null;
insert into file_conversations (workspace_id, file_id, conversation_id)
  select f.workspace_id, f.id, c.id from files f
  join conversations c on c.workspace_id = f.workspace_id
    and c.id::text in (f.source_metadata ->> 'conversation_id', f.created_by)
  union
  select workspace_id, file_id, conversation_id from conversation_files
  union
  select m.workspace_id, f.id, m.conversation_id
  from messages m
  cross join lateral regexp_matches(m.parts, '"id":"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"', 'g') named
  join files f on f.workspace_id = m.workspace_id and f.id = named[1]::uuid
  where m.role = 'user' and m.parts like '%"files":[%';
update files f set of_conversation = true from conversations c
  where c.workspace_id = f.workspace_id and c.id::text = f.created_by;

-- Shares the files of the acting owner that a text names with the readers of the record that has the text. A file of
-- another owner is not shared: who names its id need not be able to read it.
create function share_named_files(workspace uuid, referrer text, content text, acting uuid[]) returns void language sql as $$
  update files f set shared_with = f.shared_with || referrer
  from unnest(settings_mentions(content)) named (id)
  where f.workspace_id = workspace and f.id::text = named.id and not referrer = any(f.shared_with)
    and (acting is null or f.owner_id = any(acting))
$$;
create function acting_owners() returns uuid[] stable language sql as $$
  select array[current_actor()] || array(
    select case when a.workspace_id is null then coalesce(k.line, k.id) else a.id end
    from api_keys k join service_accounts a on a.id = k.service_account_id where k.id = current_actor()
    union all select k.person_id from api_keys k where k.id = current_actor() and k.person_id is not null)
$$;
create function share_files_of_agent_version() returns trigger language plpgsql as $$
begin
  perform share_named_files(new.workspace_id, 'agent', new.definition, acting_owners());
  return null;
end $$;
create function share_files_of_agent() returns trigger language plpgsql as $$
begin
  perform share_named_files(new.workspace_id, 'agent', new.draft_definition, acting_owners());
  return null;
end $$;
create function share_files_of_workflow() returns trigger language plpgsql as $$
begin
  perform share_named_files(new.workspace_id, 'workflow', new.definition, acting_owners());
  return null;
end $$;
create trigger agent_versions_share_files after insert on agent_versions
  for each row execute function share_files_of_agent_version();
create trigger agents_share_files after insert or update of draft_definition on agents
  for each row when (new.draft_definition is not null) execute function share_files_of_agent();
create trigger workflow_graphs_share_files after insert on workflow_graphs
  for each row execute function share_files_of_workflow();
select share_named_files(workspace_id, 'agent', definition, null) from agent_versions;
select share_named_files(workspace_id, 'agent', draft_definition, null) from agents where draft_definition is not null;
select share_named_files(workspace_id, 'workflow', definition, null) from workflow_graphs;

-- A document that everybody sees shares the file that it was made of; one that some see does not.
create function share_file_of_document() returns trigger language plpgsql as $$
begin
  update files f set shared_with = case when exists (
      select from kb_documents d where d.workspace_id = new.workspace_id and d.file_id = new.file_id
        and (d.owns_file or d.rights_id is null))
    then array_remove(f.shared_with, 'knowledge_base') || 'knowledge_base'::text
    else array_remove(f.shared_with, 'knowledge_base') end
  where f.workspace_id = new.workspace_id and f.id = new.file_id;
  return null;
end $$;
create trigger kb_documents_share_file after insert or update of file_id, owns_file, prefix, visible_to on kb_documents
  for each row when (new.file_id is not null) execute function share_file_of_document();
update files f set shared_with = array_remove(f.shared_with, 'knowledge_base') || 'knowledge_base'::text
  where exists (select from kb_documents d where d.workspace_id = f.workspace_id and d.file_id = f.id
    and (d.owns_file or d.rights_id is null));

-- Files go with the last conversation that has them, unless a record of the workspace refers to them; the sweep removes their
-- bytes. Not where the whole workspace goes: its accounts go too.
create function delete_files_of_conversations() returns trigger language plpgsql as $$
declare
  file record;
begin
  for file in
    delete from files f using workspaces w
    where w.id = f.workspace_id and f.of_conversation and f.shared_with = '{}'
      and (f.workspace_id, f.id) in (
        select l.workspace_id, l.file_id from gone_links l)
      and not exists (
        select from file_conversations l where l.workspace_id = f.workspace_id and l.file_id = f.id)
    returning w.tenant_id, f.workspace_id, f.size, f.charged_kinds, f.charged_ids
  loop
    perform charge_bytes(file.tenant_id, file.workspace_id, null,
      array['organization', 'workspace'] || file.charged_kinds,
      array[file.tenant_id::text, file.workspace_id::text] || file.charged_ids,
      array_fill(0::bigint, array[2 + coalesce(array_length(file.charged_kinds, 1), 0)]), -file.size);
  end loop;
  return null;
end $$;
create trigger file_conversations_gone after delete on file_conversations
  referencing old table as gone_links for each statement execute function delete_files_of_conversations();

create index files_of_owner on files (workspace_id, owner_id, id desc) where owner_id is not null;
