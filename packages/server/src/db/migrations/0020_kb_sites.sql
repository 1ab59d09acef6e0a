-- Web sites as sources of a knowledge base: what is crawled, how far and how often.
create table kb_sites (
  workspace_id uuid not null,
  kb_id uuid not null,
  id uuid not null,
  url text not null,
  prefix text collate "C" not null,
  depth integer not null,
  max_pages integer not null,
  -- Five cron fields, UTC; null: only when somebody asks.
  schedule text,
  on_gone text not null check (on_gone in ('remove', 'mark')),
  next_at timestamptz(3),
  -- The crawl under way; what it was told by robots.txt, and whether it left links alone because there were too many.
  current_run uuid,
  robots text,
  cut boolean not null default false,
  crawled_at timestamptz(3),
  error json,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, kb_id, id),
  unique (workspace_id, kb_id, url, prefix),
  foreign key (workspace_id, kb_id) references knowledge_bases on delete cascade
);
create index kb_sites_due on kb_sites (next_at) where next_at is not null;

-- The pages of the last crawl of a site, or of the one under way: what waits, and what became of the others.
create table kb_site_pages (
  workspace_id uuid not null,
  kb_id uuid not null,
  site_id uuid not null,
  url text not null,
  seq bigint generated always as identity,
  depth integer not null,
  state text not null check (state in ('waiting', 'added', 'changed', 'unchanged', 'gone', 'skipped', 'failed')),
  reason text,
  -- Of what a reader of it sees.
  hash text,
  -- How often it was begun: a page that ends the process again and again is given up.
  tries integer not null default 0,
  primary key (workspace_id, kb_id, site_id, url),
  foreign key (workspace_id, kb_id, site_id) references kb_sites on delete cascade
);
create index kb_site_pages_waiting on kb_site_pages (workspace_id, kb_id, site_id, depth, seq) where state = 'waiting';

-- A page's document: whose it is, what its page was when it was last fetched.
alter table kb_documents add column site_id uuid, add column page_hash text, add column page_etag text;
create unique index kb_documents_by_page on kb_documents (workspace_id, kb_id, site_id, source_url) where site_id is not null;

alter table kb_runs add column output json;

-- Tables that hold the rows of a CSV or a workbook.
alter table kb_documents add column table_ids uuid[] not null default '{}';

-- A passage that is a picture, and the model that has seen it; its vector is that model's.
alter table kb_chunks add column seen_by text;

-- Documents among the platform's own tables; roles that were made before it see it too.
create view atrium_platform.documents with (security_barrier = true) as
  select id, kb_id, name, prefix, status, source_type, source_url, doc_type, size, language, pages, short_summary, error,
    created_at, updated_at
  from kb_documents
  where workspace_id = (select workspace_id from table_spaces where role_name = current_user);

do $$
declare
  own text;
begin
  for own in select role_name from table_spaces join pg_roles on rolname = role_name loop
    execute format('grant select on atrium_platform.documents to %I', own);
  end loop;
end $$;
