-- What models were asked and what it cost: one row for each call, of every purpose. It stays when the conversation it was
-- made for is gone.
--
-- `tx` is the transaction that wrote a row. Those of a transaction that is over, and before which all others are over too,
-- can't get more: so far, and exactly once, rows are added up into hours and days.

create table model_calls (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  tx xid8 not null default pg_current_xact_id(),
  at timestamptz(3) not null,
  purpose text not null,
  model text not null,
  agent_id uuid,
  version_id uuid,
  conversation_id uuid,
  run_id uuid,
  actor_kind text,
  actor_id uuid,
  input_tokens bigint not null,
  cached_tokens bigint not null,
  output_tokens bigint not null,
  reasoning_tokens bigint not null,
  -- In US dollars; none when the prices of the model are not known.
  cost double precision,
  ms integer not null,
  ttft_ms integer,
  status text not null check (status in ('ok', 'failed', 'stopped')),
  -- The provider did not say what was used.
  estimated boolean not null default false,
  primary key (workspace_id, id)
);
create index model_calls_by_tx on model_calls (tx);
create index model_calls_by_run on model_calls (workspace_id, run_id) where run_id is not null;

-- One row for each run that is over: figures, no words.
create table run_facts (
  workspace_id uuid not null references workspaces on delete cascade,
  run_id uuid not null,
  tx xid8 not null default pg_current_xact_id(),
  at timestamptz(3) not null default now(),
  conversation_id uuid not null,
  agent_id uuid,
  version_id uuid,
  model text,
  actor_kind text,
  actor_id uuid,
  user_id uuid,
  status text not null,
  ms integer not null,
  -- From the beginning of the run to its first word.
  ttft_ms integer,
  messages smallint not null,
  -- Whether it is the first of its conversation.
  begins boolean not null,
  tool_calls integer not null,
  searches_without_answer integer not null,
  violations integer not null,
  primary key (workspace_id, run_id)
);
create index run_facts_by_tx on run_facts (tx);
