-- Who turned a lock of an agent on, when and why. The lock itself is a setting; a row is there while it is on, in the
-- published version or in the draft.
create table agent_locks (
  workspace_id uuid not null,
  agent_id uuid not null,
  lock text not null,
  -- Null for locks that are older than this table.
  locked_by uuid,
  locked_at timestamptz(3),
  reason text,
  primary key (workspace_id, agent_id, lock),
  foreign key (workspace_id, agent_id) references agents (workspace_id, id) on delete cascade
);
insert into agent_locks (workspace_id, agent_id, lock)
  select distinct a.workspace_id, a.id, l.lock
  from agents a
  join agent_versions v on v.workspace_id = a.workspace_id and v.id = a.published_version_id
  cross join (values ('pii_lock'), ('guardrail_lock'), ('prompt_lock')) as l (lock)
  where (v.has_locks and v.definition::json ->> l.lock = 'true') or a.draft_definition::json ->> l.lock = 'true';

create table agent_unlock_requests (
  workspace_id uuid not null,
  id uuid not null,
  agent_id uuid not null,
  lock text not null,
  asked_by uuid not null,
  reason text not null,
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'withdrawn')),
  note text,
  decided_by uuid,
  decided_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, agent_id) references agents (workspace_id, id) on delete cascade
);
create unique index agent_unlock_requests_pending on agent_unlock_requests (workspace_id, agent_id, lock, asked_by)
  where status = 'pending';
create index agent_unlock_requests_of_agent on agent_unlock_requests (workspace_id, agent_id, id);
