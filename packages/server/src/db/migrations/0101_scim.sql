-- Tokens of directories, which keep people and user groups in step with theirs. Only hashes are stored.
create table scim_tokens (
  id uuid primary key,
  tenant_id uuid not null references tenants (id) on delete cascade,
  name text not null,
  hash bytea not null unique,
  hint text not null,
  -- Whether creating a user or a group takes over one that is there already.
  adopts boolean not null default false,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);
create index scim_tokens_of_tenant on scim_tokens (tenant_id, id);

-- The people that SCIM has made or taken over, with what directories call them. It sees and changes no others.
create table scim_users (
  person_id uuid primary key references people (id) on delete cascade,
  tenant_id uuid not null references tenants (id) on delete cascade,
  user_name text not null,
  external_id text,
  display_name text,
  formatted_name text,
  given_name text,
  family_name text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index scim_users_by_name on scim_users (tenant_id, lower(user_name));
create index scim_users_by_external_id on scim_users (tenant_id, external_id) where external_id is not null;

-- The same for user groups.
create table scim_groups (
  user_group_id uuid primary key references user_groups (id) on delete cascade,
  tenant_id uuid not null references tenants (id) on delete cascade,
  external_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index scim_groups_of_tenant on scim_groups (tenant_id, user_group_id);
