-- What runs wait for people to say, and an account of every tool call.

create table human_requests (
  workspace_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  run_id uuid not null,
  kind text not null check (kind in ('approval', 'question')),
  call_id text not null,
  tool text not null,
  -- JSON text of exactly what is run when it is approved; a secret in it is a handle.
  arguments text not null,
  -- Why an approval is needed.
  reason text,
  status text not null default 'pending' check (status in
    ('pending', 'approved', 'rejected', 'answered', 'expired', 'withdrawn')),
  -- A person's words: the note of a decision, or the answer.
  note text,
  decided_by text,
  decided_at timestamptz(3),
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, run_id) references runs on delete cascade
);
create index human_requests_by_conversation on human_requests (workspace_id, conversation_id, id desc);
create index human_requests_by_run on human_requests (workspace_id, run_id);
create index human_requests_due on human_requests (expires_at) where status = 'pending';

-- One line for each tool call that came to a result. It stays when its conversation is deleted, so it says nothing of
-- what was said: of the input there is only a hash.
create table tool_calls (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  conversation_id uuid not null,
  run_id uuid not null,
  step integer not null,
  call_id text not null,
  tool text not null,
  actor_kind text not null,
  actor_id text not null,
  input_hash text not null,
  outcome text not null,
  -- Who agreed to it, where somebody had to.
  approved_by text,
  ms integer not null,
  cost double precision not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);
create index tool_calls_by_run on tool_calls (workspace_id, run_id, id);
