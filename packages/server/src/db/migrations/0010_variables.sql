-- Variables and secrets of a workspace, and how to reach the vaults that hold some of them.

create table vault_credentials (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  name text not null,
  address text not null,
  namespace text,
  -- Where the key/value engine is mounted, and the AppRole method.
  mount text not null,
  auth_method text not null check (auth_method in ('token', 'approle')),
  auth_mount text not null,
  role_id text,
  -- The token or the secret id, as one sealed JSON object.
  secrets text not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);
create unique index vault_credentials_by_name on vault_credentials (workspace_id, name);

create table variables (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  name text not null,
  type text not null check (type in ('string', 'number', 'boolean', 'object', 'datetime', 'file')),
  source text not null check (source in ('inline', 'vault', 'environment')),
  is_secret boolean not null,
  -- The value of an inline one, sealed, secret or not.
  value text,
  vault_credential_id uuid,
  vault_path text,
  vault_key text,
  env_var_name text,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, vault_credential_id) references vault_credentials
);
create unique index variables_by_name on variables (workspace_id, name);
create index variables_by_vault on variables (workspace_id, vault_credential_id) where vault_credential_id is not null;

-- A tenant's key can be replaced like a workspace's: one is current, retired ones still open what they sealed.
alter table tenant_keys drop constraint tenant_keys_pkey, add column retired_at timestamptz(3);
create unique index tenant_keys_current on tenant_keys (tenant_id) where retired_at is null;
create index tenant_keys_by_tenant on tenant_keys (tenant_id);
