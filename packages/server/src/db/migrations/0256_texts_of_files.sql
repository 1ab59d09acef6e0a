-- The texts of files, extracted when they are first read. The text is a blob, stored like the file itself.
create table file_texts (
  workspace_id uuid not null,
  file_id uuid not null,
  -- Of the readers that made it: a text of older ones is extracted again.
  readers integer not null,
  -- Null: the file can't be read, and `error` says why.
  blob_id uuid,
  -- The length of what stands in the blob before the text: warnings and the outline.
  head_bytes integer,
  error_code text,
  error text,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, file_id),
  foreign key (workspace_id, file_id) references files on delete cascade,
  check ((blob_id is null) <> (error is null)),
  check ((blob_id is null) = (head_bytes is null))
);
create index file_texts_by_blob on file_texts (workspace_id, blob_id);
