-- Uploads that arrive in parts. The bytes of each part are a blob; the whole length is charged when the upload begins.
create table resumable_uploads (
  workspace_id uuid not null references workspaces on delete cascade,
  -- The file has the same id.
  id uuid not null,
  filename text not null,
  length bigint not null,
  received bigint not null default 0,
  created_by text not null,
  charged_kinds text[] not null,
  charged_ids text[] not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  primary key (workspace_id, id)
);
create index resumable_uploads_by_end on resumable_uploads (expires_at);

create table upload_parts (
  workspace_id uuid not null,
  upload_id uuid not null,
  start_at bigint not null,
  blob_id uuid not null,
  primary key (workspace_id, upload_id, start_at),
  foreign key (workspace_id, upload_id) references resumable_uploads on delete cascade
);
create index upload_parts_by_blob on upload_parts (workspace_id, blob_id);
