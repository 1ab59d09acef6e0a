-- What service accounts hold, active or not.
create view service_account_permissions (service_account_id, permissions) as
  select a.id, coalesce(r.permissions, a.permissions)
  from service_accounts a left join roles r on r.tenant_id = a.tenant_id and r.id = a.role_id;
