-- The text that a training read, which the places of passages refer to. In segments, so that a part is read without the rest.
create table kb_text_segments (
  workspace_id uuid not null,
  kb_id uuid not null,
  document_id uuid not null,
  run_id uuid not null,
  -- In UTF-16 units, as the places of passages. The segment goes to the start of the next one.
  start_at integer not null,
  end_at integer not null,
  content text not null,
  -- The blocks that begin in it, and the pages that they stand on.
  blocks json not null,
  pages json not null,
  primary key (workspace_id, kb_id, document_id, run_id, start_at),
  foreign key (workspace_id, kb_id, document_id) references kb_documents on delete cascade
);

-- Pictures of files, drawn when they are first asked for. The bytes are a blob.
create table file_previews (
  workspace_id uuid not null,
  file_id uuid not null,
  page integer not null,
  width integer not null,
  -- Null: it can't be drawn, and `error` says why.
  blob_id uuid,
  error text,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, file_id, page, width),
  foreign key (workspace_id, file_id) references files on delete cascade,
  check ((blob_id is null) <> (error is null))
);
create index file_previews_by_blob on file_previews (workspace_id, blob_id);
