-- Knowledge bases: what they are, their documents and the passages of these. The search index is derived from here.

create table knowledge_bases (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  name text not null,
  description text not null,
  document_types text[] not null,
  kb_type text not null,
  version text not null,
  status text not null default 'created' check (status in ('created', 'training', 'ready', 'error')),
  error json,
  summary text not null default '',
  summary_embedding real[],
  needs_summary_update boolean not null default false,
  meta json not null,
  -- The keys that were set, as JSON.
  settings json not null,
  -- Set when documents were trained by settings that have been changed since.
  needs_reindex boolean not null default false,
  -- The index that is searched: its name on disk, the language of its words, and by what its vectors were made.
  index_name text,
  index_language text,
  index_model text,
  index_dimension integer,
  -- What came of the last call of the embedding model; null before the first.
  embedding_error text,
  embedding_detected integer,
  -- The last moment at which something was trained or asked to be; a burst is over two seconds later.
  busy_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);

create table kb_documents (
  workspace_id uuid not null,
  kb_id uuid not null,
  id uuid not null,
  name text not null,
  -- The folder it lies in, `/a/b/`; compared byte by byte, as the index does.
  prefix text collate "C" not null,
  status text not null check (status in ('uploaded', 'training', 'trained', 'error', 'folder')),
  -- Of one in training: what is being done, and how far it is.
  stage text not null default '' check (stage in ('', 'queued', 'extract', 'chunk', 'enrich', 'embed', 'index')),
  progress integer not null default 0,
  size bigint not null default 0,
  source_type text not null,
  file_id uuid,
  -- Whether the file was brought for this document and goes with it.
  owns_file boolean not null default false,
  source_url text,
  source_metadata json,
  doc_type text,
  doc_metadata json not null default '{}',
  short_summary text,
  summary text,
  error json,
  -- What whoever reads it should know: rows that were cut, enrichment that was skipped.
  notes text[] not null default '{}',
  language text,
  pages integer,
  images json not null default '[]',
  -- The training whose passages count, and the one under way.
  live_run uuid,
  current_run uuid,
  -- How often the one under way was begun; a document that kills its process again and again is given up.
  begun integer not null default 0,
  -- Whether the index may hold passages of it.
  indexed boolean not null default false,
  -- What its extraction and chunking were asked to be.
  recipe text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, kb_id, id),
  foreign key (workspace_id, kb_id) references knowledge_bases on delete cascade
);
create index kb_documents_by_status on kb_documents (workspace_id, kb_id, status, id desc);
create index kb_documents_by_prefix on kb_documents (workspace_id, kb_id, prefix);
create index kb_documents_to_index on kb_documents (workspace_id, kb_id) where stage = 'index';

create table kb_chunks (
  workspace_id uuid not null,
  kb_id uuid not null,
  document_id uuid not null,
  -- The training that made it: a document's new passages stand beside its old ones until the index has them.
  run_id uuid not null,
  id uuid not null,
  position integer not null,
  content text not null,
  -- Where it stands in the text of its document, in UTF-16 units.
  start_at integer not null,
  end_at integer not null,
  page integer,
  headings text[] not null,
  -- What is indexed with it and not shown: a summary, a sentence of context, questions it answers.
  context text not null default '',
  questions text[] not null default '{}',
  -- 32-bit floats, little-endian, and the model that made them.
  embedding bytea,
  embedding_model text,
  primary key (workspace_id, kb_id, id),
  foreign key (workspace_id, kb_id, document_id) references kb_documents on delete cascade
);
create unique index kb_chunks_by_document on kb_chunks (workspace_id, kb_id, document_id, run_id, position);

-- Documents that are gone and whose passages the index may still hold; and those that lie elsewhere than it thinks.
create table kb_index_changes (
  workspace_id uuid not null,
  kb_id uuid not null,
  document_id uuid not null,
  change text not null check (change in ('removed', 'moved')),
  primary key (workspace_id, kb_id, document_id, change),
  foreign key (workspace_id, kb_id) references knowledge_bases on delete cascade
);

create table kb_runs (
  workspace_id uuid not null,
  kb_id uuid not null,
  id uuid not null,
  kind text not null check (kind in ('train', 'reindex', 'crawl')),
  document_id uuid,
  input json not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'completed', 'failed', 'stopped')),
  stage text not null default 'queued',
  progress integer not null default 0,
  error json,
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  primary key (workspace_id, kb_id, id),
  foreign key (workspace_id, kb_id) references knowledge_bases on delete cascade
);
create index kb_runs_by_status on kb_runs (workspace_id, kb_id, status, id desc);
