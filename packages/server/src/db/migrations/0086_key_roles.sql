-- The role of a key. Its `permissions` are then the role's, rewritten in the transaction that changes the role. Deleting a
-- workspace deletes its roles and its keys in one statement, so the reference is checked at the end of it.
alter table api_keys add column role_id uuid;
alter table api_keys add foreign key (tenant_id, role_id) references roles (tenant_id, id);
create index api_keys_by_role on api_keys (tenant_id, role_id) where role_id is not null;
