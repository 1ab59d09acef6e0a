-- The megabytes of files that a workspace may keep, as an administrator of the organization set it. 0: as the server says.
alter table workspaces add column file_quota_mb integer not null default 0;
