-- The locks that an administrator has turned off for one conversation: those of its agent do not bind it again.
alter table conversations add column unlocked text[] not null default '{}';
