-- runs with: 0150
-- Where files and indexes of this database are: `disk`, or `s3`. A process that is set up for another place does not start.
create table storage_places (
  what text primary key check (what in ('files', 'indexes')),
  place text not null,
  noted_at timestamptz not null default now()
);
