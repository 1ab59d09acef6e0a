-- Keys that the keys of single blobs are derived from, sealed with the owner's data key. Each data key of an owner has
-- one, named by made_under: once keys are rotated, new blobs get a new one, and older ones still open older blobs.
create table blob_keys (
  workspace_id uuid not null references workspaces on delete cascade,
  id text not null,
  made_under text not null,
  sealed text not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, made_under)
);

-- The same for blobs that belong to the organization and to none of its workspaces.
create table tenant_blob_keys (
  tenant_id uuid not null references tenants on delete cascade,
  id text not null,
  made_under text not null,
  sealed text not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, made_under)
);
