-- A sandbox that was made for a conversation goes with it, also one whose files outlast idleness.
alter table sandboxes add column conversation_id uuid;
-- Files that have been put into it; what code makes of them there is not undone by putting them there again.
alter table conversation_sandboxes add column brought uuid[] not null default '{}';
