-- What active people hold in each workspace now. Every statement that asks for rights of a person reads this view.
create view person_rights (tenant_id, workspace_id, person_id, permissions) as
  select p.tenant_id, w.id, p.id, array['org:admin']
  from people p join workspaces w on w.tenant_id = p.tenant_id
  where p.active and p.tenant_admin
  union all
  select m.tenant_id, m.workspace_id, m.person_id, r.permissions
  from members m
  join people p on p.id = m.person_id
  join roles r on r.tenant_id = m.tenant_id and r.id = m.role_id
  where p.active and not p.tenant_admin;

-- Service accounts own keys of programs. One without a workspace is the organization's: it holds org:admin and can't be
-- changed, so that system keys outlive the people who administer the organization.
create table service_accounts (
  id uuid primary key,
  tenant_id uuid not null references tenants (id) on delete cascade,
  workspace_id uuid references workspaces (id) on delete cascade,
  name text not null,
  -- With a role its permissions count, in place of the column's.
  role_id uuid,
  permissions text[] not null,
  active boolean not null default true,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  foreign key (tenant_id, role_id) references roles (tenant_id, id)
);
create index service_accounts_of_workspace on service_accounts (workspace_id, id);
create index service_accounts_with_role on service_accounts (tenant_id, role_id) where role_id is not null;

create view service_account_rights (tenant_id, workspace_id, service_account_id, permissions) as
  select a.tenant_id, w.id, a.id, a.permissions
  from service_accounts a join workspaces w on w.tenant_id = a.tenant_id
  where a.active and a.workspace_id is null
  union all
  select a.tenant_id, a.workspace_id, a.id, coalesce(r.permissions, a.permissions)
  from service_accounts a left join roles r on r.tenant_id = a.tenant_id and r.id = a.role_id
  where a.active and a.workspace_id is not null;

-- Who can own keys, triggers and deployments.
create view owners (tenant_id, id, kind, name, active) as
  select tenant_id, id, 'person', name, active from people
  union all
  select tenant_id, id, 'service_account', name, active from service_accounts;

-- What an owner holds in each workspace now.
create view owner_rights (tenant_id, workspace_id, owner_id, permissions) as
  select tenant_id, workspace_id, person_id, permissions from person_rights
  union all
  select tenant_id, workspace_id, service_account_id, permissions from service_account_rights;

alter table api_keys
  add column person_id uuid references people (id) on delete cascade,
  add column service_account_id uuid references service_accounts (id) on delete cascade,
  -- The people who may know the value: who was shown it, and who owned the key.
  add column known_to uuid[] not null default '{}';

-- Keys that exist get a service account each, with what they hold; the values of one rotated key share theirs.
insert into service_accounts (id, tenant_id, workspace_id, name, role_id, permissions)
  select distinct on (coalesce(line, id)) coalesce(line, id), tenant_id, case when not tenant_admin then workspace_id end,
    name, role_id, permissions
  from api_keys order by coalesce(line, id), created_at desc;
update api_keys set service_account_id = coalesce(line, id),
  known_to = case when created_by_kind = 'person' then array[created_by_id] else '{}' end;

alter table api_keys
  add check (num_nonnulls(person_id, service_account_id) = 1);
create index api_keys_of_person on api_keys (person_id) where person_id is not null;
create index api_keys_of_service_account on api_keys (service_account_id) where service_account_id is not null;
