-- Where code runs. Its files are with its engine, under `ref`.

create table sandboxes (
  -- No reference: when a workspace is deleted, the rows have to stay until what they stand for is gone too.
  workspace_id uuid not null,
  id uuid not null,
  label text not null,
  persistent boolean not null,
  network boolean not null,
  -- creating, running, stopped or error
  status text not null,
  error text,
  engine text not null,
  isolation text not null,
  -- Null until the engine has made it.
  ref text,
  created_at timestamptz(3) not null default now(),
  created_by text not null,
  last_activity timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);

create index sandboxes_idle on sandboxes (last_activity);
