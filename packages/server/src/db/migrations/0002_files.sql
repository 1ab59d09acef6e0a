-- What was uploaded. The bytes are in the blob store, under the same workspace and id.

create table files (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  filename text not null,
  content_type text not null,
  size bigint not null,
  sha256 text not null,
  source_type text not null,
  source_metadata json,
  created_at timestamptz(3) not null default now(),
  -- The key or person that brought it; kept after they are gone, so it refers to nothing.
  created_by text not null,
  primary key (workspace_id, id)
);
