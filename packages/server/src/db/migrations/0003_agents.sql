-- Agents and their versions. A version never changes; publishing one is a change of the agent.

create table agents (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  name text not null,
  description text,
  visible boolean not null,
  image_url text,
  allow_public_access boolean not null,
  published_version_id uuid not null,
  version_count integer not null default 1,
  -- Settings as they were set, as JSON text: spliced into answers without being parsed.
  draft_definition text,
  etag_ms bigint not null,
  etag_seq integer not null default 0,
  created_at timestamptz(3) not null default now(),
  last_updated_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  primary key (workspace_id, id)
);
create index agents_by_update on agents (workspace_id, last_updated_at desc, id desc);

create table agent_versions (
  workspace_id uuid not null,
  agent_id uuid not null,
  id uuid not null,
  number integer not null,
  name text not null,
  description text,
  definition text not null,
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, agent_id) references agents on delete cascade
);
create unique index agent_versions_by_number on agent_versions (workspace_id, agent_id, number);
