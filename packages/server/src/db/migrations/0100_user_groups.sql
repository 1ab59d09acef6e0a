-- Groups of people. As a member of a workspace a group gives its role to everybody in it.
create table user_groups (
  id uuid primary key,
  tenant_id uuid not null references tenants (id) on delete cascade,
  name text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index user_groups_by_name on user_groups (tenant_id, lower(name));

create table user_group_members (
  user_group_id uuid not null references user_groups (id) on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_group_id, person_id)
);
create index user_groups_of_person on user_group_members (person_id);

create table member_groups (
  workspace_id uuid not null references workspaces (id) on delete cascade,
  user_group_id uuid not null references user_groups (id) on delete cascade,
  tenant_id uuid not null,
  role_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_group_id),
  foreign key (tenant_id, role_id) references roles (tenant_id, id)
);
create index member_groups_of_user_group on member_groups (user_group_id);
create index member_groups_with_role on member_groups (tenant_id, role_id);

-- What active people hold in each workspace now: by a role of their own and by those of their groups together.
create or replace view person_rights (tenant_id, workspace_id, person_id, permissions) as
  select p.tenant_id, w.id, p.id, array['org:admin']
  from people p join workspaces w on w.tenant_id = p.tenant_id
  where p.active and p.tenant_admin
  union all
  select given.tenant_id, given.workspace_id, given.person_id,
    coalesce(array_agg(distinct held.permission) filter (where held.permission is not null), '{}')
  from (
    select tenant_id, workspace_id, person_id, role_id from members
    union all
    select g.tenant_id, g.workspace_id, m.person_id, g.role_id
    from member_groups g join user_group_members m on m.user_group_id = g.user_group_id
  ) as given
  join people p on p.id = given.person_id
  join roles r on r.tenant_id = given.tenant_id and r.id = given.role_id
  left join lateral unnest(r.permissions) as held (permission) on true
  where p.active and not p.tenant_admin
  group by given.tenant_id, given.workspace_id, given.person_id;
