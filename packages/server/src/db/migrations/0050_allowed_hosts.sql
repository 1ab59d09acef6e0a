-- The hosts that a secret may be sent to. Null: it was stored without them, and is filled in only for settings and
-- workflows that a holder of variables_read has saved.
alter table variables add column allowed_hosts text[];
