-- Exports and imports of workspaces are jobs like those of people. The archive of an import is a blob named after the job until it ends.
alter table data_jobs
  alter column person_id drop not null,
  drop constraint data_jobs_kind_check,
  add constraint data_jobs_kind_check
    check (kind in ('erase_person', 'export_person', 'export_workspace', 'import_workspace')),
  add constraint data_jobs_have_subject check ((person_id is null) = (kind in ('export_workspace', 'import_workspace'))),
  -- No foreign key: the report outlives the workspace. Of an import: the workspace that it makes.
  add column workspace_id uuid,
  -- Who asked, by ids alone, with the permissions that the job acts with; and the size of an imported archive.
  add column request json,
  add column follow_up json not null default '[]';
create unique index data_jobs_of_workspace_under_way on data_jobs (workspace_id)
  where ended_at is null and kind = 'export_workspace';
