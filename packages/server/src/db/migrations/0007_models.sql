-- Providers of language models and presets of them, for a whole tenant.

-- A tenant's own key, sealed under the master key: what belongs to no workspace outlives every workspace.
create table tenant_keys (
  tenant_id uuid primary key references tenants on delete cascade,
  wrapped text not null,
  created_at timestamptz(3) not null default now()
);

create table provider_accounts (
  tenant_id uuid not null references tenants on delete cascade,
  id uuid not null,
  name text not null,
  provider text not null,
  base_urls text[] not null,
  api_version text,
  region text,
  models text[] not null,
  enabled boolean not null,
  -- The keys as one sealed JSON object, and what of each may be shown.
  secrets text not null,
  hints jsonb not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
create unique index provider_accounts_by_name on provider_accounts (tenant_id, name);

create table model_presets (
  tenant_id uuid not null references tenants on delete cascade,
  name text not null,
  models text[] not null,
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, name)
);
