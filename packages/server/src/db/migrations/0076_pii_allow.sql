-- Words and patterns that are never taken for personal data in this workspace.
alter table workspaces add column pii_allow jsonb not null default '[]';
