-- People sign in; as members they have a role in each of their workspaces.
create table people (
  id uuid primary key,
  tenant_id uuid not null references tenants (id) on delete cascade,
  email text not null,
  name text not null,
  -- Null until a password is set.
  password_hash text,
  tenant_admin boolean not null default false,
  active boolean not null default true,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index people_email on people (lower(email));
create index people_by_name on people (tenant_id, name, id);

create table members (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  tenant_id uuid not null,
  role_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, person_id),
  foreign key (tenant_id, role_id) references roles (tenant_id, id)
);
create index members_of_person on members (person_id);
create index members_with_role on members (tenant_id, role_id);

-- Only hashes of tokens are stored.
create table sessions (
  id uuid primary key,
  person_id uuid not null references people (id) on delete cascade,
  token_hash bytea not null unique,
  address text,
  user_agent text,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_of_person on sessions (person_id);

-- Secrets that work once: the claim of a new server, invitations, and links to set a password.
create table one_time_links (
  id uuid primary key,
  tenant_id uuid not null references tenants (id) on delete cascade,
  kind text not null check (kind in ('claim', 'invitation', 'reset')),
  token_hash bytea not null unique,
  workspace_id uuid references workspaces (id) on delete cascade,
  role_id uuid,
  person_id uuid references people (id) on delete cascade,
  email text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  foreign key (tenant_id, role_id) references roles (tenant_id, id) on delete cascade,
  check (kind <> 'invitation' or (workspace_id is not null and role_id is not null and email is not null))
);
create index one_time_links_of_workspace on one_time_links (workspace_id) where workspace_id is not null;
create unique index one_claim_of_tenant on one_time_links (tenant_id) where kind = 'claim';
create unique index one_reset_of_person on one_time_links (person_id) where kind = 'reset';
