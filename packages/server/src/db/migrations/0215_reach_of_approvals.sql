-- Where a call that waits for approval goes, and what lies beneath its tool.
alter table human_requests add column recipients text[] not null default '{}';
alter table human_requests add column beneath jsonb not null default '[]';
-- The digests of the tools that send, as they were when the approval was asked for; a scope covers these alone.
alter table human_requests add column definitions jsonb;
