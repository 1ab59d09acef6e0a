-- Erasures and exports of people. The archive of an export is a blob in the folder of the organization.
create table data_jobs (
  id uuid primary key,
  tenant_id uuid not null references tenants (id) on delete cascade,
  kind text not null check (kind in ('erase_person', 'export_person')),
  person_id uuid not null,
  -- The ids that the person has acted by: keys are revoked before the job runs.
  actor_ids uuid[] not null,
  attempts int not null default 0,
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed')),
  progress double precision not null default 0,
  report json not null default '{}',
  error text,
  has_file boolean not null default false,
  expires_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz
);
create index data_jobs_of_tenant on data_jobs (tenant_id, id);
create index data_jobs_by_end on data_jobs (expires_at) where has_file;
-- One erasure and one export of a person at a time.
create unique index data_jobs_under_way on data_jobs (person_id, kind) where ended_at is null;

create index files_of_maker on files (created_by);
create index memories_about on memories (subject_id) where subject = 'user';
create index messages_written_by on messages (written_by) where written_by is not null;
create index feedback_of_actor on feedback (actor_id);
