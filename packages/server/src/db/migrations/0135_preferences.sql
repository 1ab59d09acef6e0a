-- How a person likes the interface.
create table preferences (
  person_id uuid primary key references people (id) on delete cascade,
  value json not null,
  updated_at timestamptz not null default now()
);
