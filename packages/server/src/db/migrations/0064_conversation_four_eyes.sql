-- Approvals that someone other than the one who caused the call has to decide.
alter table human_requests add column four_eyes boolean not null default false;
-- Everything that the actor who decided is known by: a rotated key also by the first of its line.
alter table human_requests add column decided_names text[] not null default '{}';
