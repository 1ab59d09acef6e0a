-- Runs: one row for each, and the append-only list of what happened in it.

create table runs (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('conversation')),
  conversation_id uuid not null,
  -- The user's message it answers and the message it writes.
  user_message_id uuid not null,
  message_id uuid not null,
  status text not null default 'queued' check (status in
    ('queued', 'running', 'completed', 'failed', 'stopped', 'awaiting_human_feedback')),
  input json not null,
  -- Whether the user's message stands in the conversation already; that of a waiting run may not.
  said boolean not null,
  output json,
  error json,
  -- Whoever holds the lease executes the run; one that ran out may be taken over.
  node_id uuid,
  leased_until timestamptz(3),
  stop_requested boolean not null default false,
  -- The Idempotency-Key it was asked for with: a repeated request is joined to this run.
  actor_id uuid not null,
  principal json not null,
  request_key text,
  request_fingerprint bytea,
  last_seq integer not null default 0,
  created_at timestamptz(3) not null default now(),
  started_at timestamptz(3),
  finished_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
);
create index runs_by_conversation on runs (workspace_id, conversation_id, id desc);
-- A conversation has one run at a time that is not over; those that wait behind it are queued.
create unique index runs_active on runs (workspace_id, conversation_id)
  where status in ('running', 'awaiting_human_feedback');
create unique index runs_by_request on runs (workspace_id, actor_id, request_key) where request_key is not null;
create index runs_unfinished on runs (leased_until) where status = 'running';
create index runs_waiting on runs (workspace_id, id) where status = 'queued';

create table run_events (
  workspace_id uuid not null,
  run_id uuid not null,
  seq integer not null,
  type text not null,
  data text not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, run_id, seq),
  foreign key (workspace_id, run_id) references runs on delete cascade
);

alter table messages
  -- What is known of how it was made: model, attempts, tokens, cost, time.
  add column metadata text,
  add column run_id uuid,
  -- Set when an edit or another try put a newer branch in its place; it is kept but not shown.
  add column superseded_by uuid;

alter table conversations add column tokens_used bigint not null default 0;
