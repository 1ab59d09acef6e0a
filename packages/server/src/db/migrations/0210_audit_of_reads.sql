-- The audit log also names who read what belongs to another person.
alter table audit_log drop constraint audit_log_outcome_check;
alter table audit_log add constraint audit_log_outcome_check check (outcome in ('done', 'refused', 'read'));
create index audit_log_reads on audit_log (tenant_id, at, id) where outcome = 'read';
