-- One-time passwords by time (TOTP) as a second factor of sign-in.
create table second_factors (
  person_id uuid primary key references people (id) on delete cascade,
  tenant_id uuid not null,
  -- Sealed.
  secret text not null,
  -- Null until the person has shown a first code; it is not asked for before.
  confirmed_at timestamptz,
  -- The last step of 30 s whose code was used; no code of it or before it works again.
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);

-- Hashes of codes that work once each, for people without their device.
create table recovery_codes (
  person_id uuid not null references second_factors (person_id) on delete cascade,
  code_hash bytea not null,
  primary key (person_id, code_hash)
);

-- Sign-ins that wait for the second factor. Only hashes of their tokens are stored.
create table sign_in_steps (
  token_hash bytea primary key,
  person_id uuid not null references people (id) on delete cascade,
  -- Where the first step was taken. Null: with a password.
  provider_id uuid references identity_providers (id) on delete cascade,
  wrong_codes integer not null default 0,
  expires_at timestamptz not null
);
create index sign_in_steps_of_person on sign_in_steps (person_id);

-- How people of an organization have to sign in.
create table sign_in_policies (
  tenant_id uuid primary key references tenants (id) on delete cascade,
  second_factor_required boolean not null,
  second_factor_for_identity_providers boolean not null
);
