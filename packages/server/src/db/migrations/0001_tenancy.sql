-- Tenants, workspaces, keys, roles: who may do what, where.

create table instance (
  name text primary key,
  value text not null
);

create table tenants (
  id uuid primary key,
  name text not null,
  created_at timestamptz(3) not null default now()
);

create table workspaces (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  name text not null,
  description text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);
create index workspaces_by_tenant on workspaces (tenant_id, id);

create table api_keys (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  tenant_id uuid not null references tenants on delete cascade,
  name text not null,
  hash bytea not null unique,
  hint text not null,
  tenant_admin boolean not null,
  permissions text[] not null,
  -- The one key that ATRIUM_ADMIN_KEY sets; changing the variable changes this row.
  from_environment boolean not null default false,
  expires_at timestamptz(3),
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);
create unique index api_keys_from_environment on api_keys (from_environment) where from_environment;

create table roles (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  workspace_id uuid references workspaces on delete cascade,
  name text not null,
  description text not null,
  scope text not null check (scope in ('organization', 'workspace')),
  permissions text[] not null,
  is_default boolean not null default false,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create unique index roles_by_name on roles (tenant_id, scope, workspace_id, lower(name)) nulls not distinct;

-- A workspace's own key, sealed under the master key. One is current; retired ones still open what they sealed.
create table data_keys (
  workspace_id uuid not null references workspaces on delete cascade,
  id text not null,
  wrapped text not null,
  created_at timestamptz(3) not null default now(),
  retired_at timestamptz(3),
  primary key (workspace_id, id)
);
create unique index data_keys_current on data_keys (workspace_id) where retired_at is null;

-- What a request with an Idempotency-Key was, and what it was answered (sealed: answers can hold fresh keys).
create table idempotency_keys (
  workspace_id uuid not null references workspaces on delete cascade,
  actor_id uuid not null,
  key text not null,
  fingerprint bytea not null,
  status integer,
  answer text,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, actor_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (created_at);
