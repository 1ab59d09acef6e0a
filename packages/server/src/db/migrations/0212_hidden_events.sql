-- Ids of live events are numbers under this key: neither they nor the gaps between them count what a reader is not shown.
alter table event_feeds add column id_key bytea not null
  default sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8'));

-- A knowledge base that has had documents, folders or sites for some people only. It stays so when they are gone: what is
-- told of a deletion must not tell of them either.
create table kb_with_hidden (
  workspace_id uuid not null,
  kb_id uuid not null,
  primary key (workspace_id, kb_id),
  foreign key (workspace_id, kb_id) references knowledge_bases on delete cascade
);
insert into kb_with_hidden (workspace_id, kb_id)
select workspace_id, kb_id from kb_documents where rights_id is not null
union select workspace_id, kb_id from kb_sites where rights_id is not null;

create function mark_knowledge_base_hidden() returns trigger language plpgsql as $$
begin
  insert into kb_with_hidden (workspace_id, kb_id) values (new.workspace_id, new.kb_id) on conflict do nothing;
  return null;
end
$$;
create trigger kb_documents_mark_hidden after insert or update on kb_documents
  for each row when (new.rights_id is not null) execute function mark_knowledge_base_hidden();
create trigger kb_sites_mark_hidden after insert or update on kb_sites
  for each row when (new.rights_id is not null) execute function mark_knowledge_base_hidden();

create function knowledge_base_has_hidden(of_workspace uuid, of_kb uuid) returns boolean language sql stable as $$
  select exists (select from kb_with_hidden where workspace_id = of_workspace and kb_id = of_kb)
$$;

create or replace function publish_documents_live() returns trigger language plpgsql as $$
declare happened text := case tg_op when 'INSERT' then 'document.created' else 'document.deleted' end;
begin
  if (select count(*) from (select from changed limit 101) as counted) <= 100 then
    perform publish_live(d.workspace_id, happened, json_build_object('knowledge_base_id', d.kb_id, 'document_id', d.id,
      'status', d.status, 'stage', d.stage, 'hidden', d.rights_id is not null)) from changed d;
  else
    perform publish_live(d.workspace_id, 'knowledge_base.documents_changed',
      json_build_object('knowledge_base_id', d.kb_id, 'count', count(*),
        'hidden', knowledge_base_has_hidden(d.workspace_id, d.kb_id) or bool_or(d.rights_id is not null)))
    from changed d group by d.workspace_id, d.kb_id;
  end if;
  return null;
end
$$;

create or replace function publish_knowledge_base_live() returns trigger language plpgsql as $$
begin
  perform publish_live(new.workspace_id, 'knowledge_base.status',
    json_build_object('knowledge_base_id', new.id, 'status', new.status, 'hidden', knowledge_base_has_hidden(new.workspace_id, new.id)));
  return null;
end
$$;

create or replace function publish_ingestion_run_live() returns trigger language plpgsql as $$
begin
  perform publish_live(new.workspace_id, 'ingestion_run.progress', json_build_object('knowledge_base_id', new.kb_id,
    'ingestion_run_id', new.id, 'type', new.kind, 'status', new.status, 'stage', new.stage, 'progress', new.progress,
    'hidden', knowledge_base_has_hidden(new.workspace_id, new.kb_id)));
  return null;
end
$$;
