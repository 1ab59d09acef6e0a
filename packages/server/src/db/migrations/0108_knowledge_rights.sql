-- Documents, folders and sites of knowledge bases that only some people see. `visible_to` holds words such as `role:<id>`,
-- `user_group:<id>` and `person:<id>`; null: everybody who may read the knowledge base, empty: nobody.
alter table kb_documents
  add column visible_to text[],
  -- What the folders above it and the document ask for together; null: everybody. `index_rights_id`: of its passages in the index.
  add column rights_id integer,
  add column index_rights_id integer;
alter table kb_sites
  add column visible_to text[],
  add column rights_id integer;

create table kb_folder_rights (
  workspace_id uuid not null,
  kb_id uuid not null,
  -- The folder, `/a/b/`, as in kb_documents.prefix.
  path text collate "C" not null,
  visible_to text[] not null,
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, kb_id, path),
  foreign key (workspace_id, kb_id) references knowledge_bases on delete cascade
);

-- The sets of rights that documents have. A reader needs one word of each clause.
create table kb_rights (
  id integer generated always as identity primary key,
  workspace_id uuid not null,
  kb_id uuid not null,
  clauses jsonb not null,
  foreign key (workspace_id, kb_id) references knowledge_bases on delete cascade
);
create unique index kb_rights_by_clauses on kb_rights (workspace_id, kb_id, md5(clauses::text));
create index kb_documents_by_rights on kb_documents (workspace_id, kb_id, rights_id) where rights_id is not null;

-- Files that were uploaded for a document, and its images, are seen by those who see the document.
alter table files add column rights_id integer;

-- When a person or program last changed the record itself; trainings do not count.
alter table knowledge_bases add column changed_at timestamptz(3);
update knowledge_bases set changed_at = updated_at;
alter table knowledge_bases alter column changed_at set not null, alter column changed_at set default now();
-- A hash of what the summary was made from: trainings of hidden documents must not have it made again.
alter table knowledge_bases add column summary_input text;

alter table kb_index_changes drop constraint kb_index_changes_change_check;
alter table kb_index_changes add check (change in ('removed', 'moved', 'rights'));
-- For a removed document: the rights of its passages in the index.
alter table kb_index_changes add column rights_id integer;

-- The set of rights for something in a folder. The lock makes a change of folder rights and a new document wait for each other.
create function kb_rights_for(in_workspace uuid, in_base uuid, folder text, own text[]) returns integer as $$
declare
  wanted jsonb;
  found integer;
begin
  perform from knowledge_bases where workspace_id = in_workspace and id = in_base for key share;
  select jsonb_agg(distinct clause) into wanted from (
    select to_jsonb(visible_to) as clause from kb_folder_rights
    where workspace_id = in_workspace and kb_id = in_base and starts_with(folder, path)
    union all
    select to_jsonb(own) where own is not null) clauses;
  if wanted is null then
    return null;
  end if;
  insert into kb_rights (workspace_id, kb_id, clauses) values (in_workspace, in_base, wanted)
    on conflict (workspace_id, kb_id, md5(clauses::text)) do nothing;
  select id into found from kb_rights
    where workspace_id = in_workspace and kb_id = in_base and md5(clauses::text) = md5(wanted::text);
  return found;
end $$ language plpgsql;

-- Every write of a folder or of `visible_to` sets the rights, so that no path of the program can forget them.
create function kb_documents_set_rights() returns trigger as $$
begin
  new.rights_id := kb_rights_for(new.workspace_id, new.kb_id, new.prefix, new.visible_to);
  if tg_op = 'UPDATE' and new.rights_id is distinct from old.rights_id and new.indexed then
    insert into kb_index_changes (workspace_id, kb_id, document_id, change)
      values (new.workspace_id, new.kb_id, new.id, 'rights') on conflict do nothing;
  end if;
  return new;
end $$ language plpgsql;
create trigger kb_documents_rights before insert or update of prefix, visible_to on kb_documents
  for each row execute function kb_documents_set_rights();

create function kb_documents_set_file_rights() returns trigger as $$
begin
  update files set rights_id = new.rights_id
  where workspace_id = new.workspace_id and rights_id is distinct from new.rights_id and id in (
    select (image ->> 'file_id')::uuid from json_array_elements(new.images) image
    union all select new.file_id where new.owns_file);
  return null;
end $$ language plpgsql;
create trigger kb_documents_new_file_rights after insert on kb_documents
  for each row when (new.rights_id is not null) execute function kb_documents_set_file_rights();
create trigger kb_documents_file_rights after update of prefix, visible_to, file_id, owns_file, images on kb_documents
  for each row when (new.rights_id is not null or old.rights_id is not null) execute function kb_documents_set_file_rights();

create function kb_sites_set_rights() returns trigger as $$
begin
  new.rights_id := kb_rights_for(new.workspace_id, new.kb_id, new.prefix, new.visible_to);
  return new;
end $$ language plpgsql;
create trigger kb_sites_rights before insert or update of prefix, visible_to on kb_sites
  for each row execute function kb_sites_set_rights();

-- Tables of the platform show the documents that everybody sees.
create or replace view atrium_platform.documents with (security_barrier = true) as
  select id, kb_id, name, prefix, status, source_type, source_url, doc_type, size, language, pages, short_summary, error,
    created_at, updated_at
  from kb_documents
  where workspace_id = (select workspace_id from table_spaces where role_name = current_user) and rights_id is null;
