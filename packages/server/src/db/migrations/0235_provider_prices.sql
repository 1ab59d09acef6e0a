-- What the models of a provider cost, where the catalogue does not know it or knows another price.
alter table provider_accounts add column prices jsonb not null default '[]';
