-- The models that are used where no setting names one; they win over the environment.
create table model_defaults (
  tenant_id uuid not null references tenants on delete cascade,
  kind text not null check (kind in ('embedding', 'ranking', 'image', 'guardrail', 'insights')),
  model text not null,
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, kind)
);
