-- Budgets that an administrator of the organization set; administrators of a workspace see them and can't change them.
alter table budgets add column set_by_organization boolean not null default false;
update budgets set set_by_organization = true where workspace_id is null;
