-- People sign in at identity providers by OpenID Connect.
create table identity_providers (
  id uuid primary key,
  tenant_id uuid not null references tenants (id) on delete cascade,
  name text not null,
  issuer text not null,
  client_id text not null,
  -- Sealed. Null: a public client.
  client_secret text,
  scope text not null,
  enabled boolean not null,
  create_accounts boolean not null,
  allowed_domains text[] not null,
  email_verified_required boolean not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Accounts are found by issuer and subject, so an issuer has one provider.
  unique (tenant_id, issuer)
);

-- The memberships that a provider gives: for a value of a claim, or (without a claim) to every account that it created.
create table identity_provider_mappings (
  provider_id uuid not null references identity_providers (id) on delete cascade,
  position integer not null,
  tenant_id uuid not null,
  claim text,
  value text,
  workspace_id uuid not null references workspaces (id) on delete cascade,
  role_id uuid not null,
  primary key (provider_id, position),
  foreign key (tenant_id, role_id) references roles (tenant_id, id) on delete cascade,
  check ((claim is null) = (value is null))
);
create unique index one_default_of_provider on identity_provider_mappings (provider_id) where claim is null;

-- Who a person is at a provider.
create table identities (
  id uuid primary key,
  tenant_id uuid not null references tenants (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  provider_id uuid not null references identity_providers (id) on delete cascade,
  issuer text not null,
  subject text not null,
  email text,
  -- Whether the first sign-in made the account.
  created_account boolean not null,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  unique (tenant_id, issuer, subject)
);
create index identities_of_person on identities (person_id);
create index identities_of_provider on identities (provider_id);

-- Sign-ins that have left for a provider. Everything secret is derived from a token that only the browser has.
create table oidc_logins (
  id uuid primary key,
  provider_id uuid not null references identity_providers (id) on delete cascade,
  browser_hash bytea not null unique,
  return_to text not null,
  -- The person who links the identity to their account, and in which session.
  person_id uuid references people (id) on delete cascade,
  session_id uuid references sessions (id) on delete cascade,
  expires_at timestamptz not null,
  check ((person_id is null) = (session_id is null))
);
create index oidc_logins_by_end on oidc_logins (expires_at);

-- Sessions that were started at a provider; the ID token, sealed, ends the session there too.
create table oidc_sessions (
  session_id uuid primary key references sessions (id) on delete cascade,
  tenant_id uuid not null,
  provider_id uuid not null references identity_providers (id) on delete cascade,
  id_token text
);
create index oidc_sessions_of_provider on oidc_sessions (provider_id);

-- The provider whose claims gave the membership. Null: made by hand.
alter table members add column source_provider_id uuid references identity_providers (id) on delete cascade;
create index members_from_provider on members (source_provider_id) where source_provider_id is not null;
