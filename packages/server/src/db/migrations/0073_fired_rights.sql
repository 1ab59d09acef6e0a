-- What the caller who fired a trigger by hand, with an input of its own, was allowed to: the run may do no more. Null for
-- what fired otherwise.
alter table trigger_deliveries add column fired_rights text[];
