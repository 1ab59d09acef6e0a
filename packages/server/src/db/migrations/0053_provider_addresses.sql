-- Who stands behind a provider's private addresses: null, and only public and listed ones are spoken to.
alter table provider_accounts add column private_allowed text
  check (private_allowed in ('stored_before', 'org_admin'));
-- Those that are there keep working.
update provider_accounts set private_allowed = 'stored_before' where base_urls <> '{}';
