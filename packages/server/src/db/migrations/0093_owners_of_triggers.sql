-- What service accounts hold, active or not.
create view service_account_permissions (service_account_id, permissions) as
  select a.id, coalesce(r.permissions, a.permissions)
  from service_accounts a left join roles r on r.tenant_id = a.tenant_id and r.id = a.role_id;

-- Whom a trigger or a deployment acts for. No foreign key: one whose owner is gone is paused, not deleted.
alter table triggers add column owner_id uuid, add column paused_reason text;
alter table deployments add column owner_id uuid, add column paused_reason text;

-- Triggers that exist get the service account of the key that made them, also where the key was rotated since, or the person.
update triggers t set owner_id = (
  select coalesce(k.person_id, k.service_account_id) from api_keys k
  where k.tenant_id = (t.principal ->> 'tenant_id')::uuid and (
    k.id::text in (select json_array_elements_text(t.principal -> 'made_by'))
    or k.line::text in (select json_array_elements_text(t.principal -> 'made_by')))
  order by k.created_at desc limit 1)
where t.principal ->> 'made_by' is not null;
update triggers t set owner_id = (
  select p.id from people p
  where p.tenant_id = (t.principal ->> 'tenant_id')::uuid
    and p.id::text in (select json_array_elements_text(t.principal -> 'made_by')) limit 1)
where t.owner_id is null and t.principal ->> 'made_by' is not null;

-- Where the maker is not known or gone, a service account with what it was given goes on with the work.
insert into service_accounts (id, tenant_id, workspace_id, name, permissions)
  select t.id, w.tenant_id, case when not coalesce((t.principal ->> 'tenant_admin')::boolean, false) then t.workspace_id end,
    t.name, array(select json_array_elements_text(t.principal -> 'permissions'))
  from triggers t join workspaces w on w.id = t.workspace_id where t.owner_id is null;
insert into service_accounts (id, tenant_id, workspace_id, name, permissions)
  select d.id, w.tenant_id, d.workspace_id, d.name, d.permissions
  from deployments d join workspaces w on w.id = d.workspace_id;
update triggers set owner_id = id where owner_id is null;
update deployments set owner_id = id;

create index triggers_of_owner on triggers (owner_id);
create index deployments_of_owner on deployments (owner_id);
