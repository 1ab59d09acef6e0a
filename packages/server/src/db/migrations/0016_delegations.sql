-- Conversations that agents have with other agents, and the runs that they wait for.

create table delegations (
  workspace_id uuid not null,
  conversation_id uuid not null,
  -- Who asked. No reference: what was answered may stay when the conversation that asked is deleted.
  parent_conversation_id uuid not null,
  -- The agents that wait for one another, from the first to the one that answers here.
  agent_ids uuid[] not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, conversation_id),
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
);

create table delegated_runs (
  workspace_id uuid not null,
  run_id uuid not null,
  parent_run_id uuid not null,
  -- Of what was asked: a call that is made again after a crash finds the run that it had begun.
  question_hash text not null,
  told boolean not null default false,
  primary key (workspace_id, run_id),
  foreign key (workspace_id, run_id) references runs on delete cascade
);
create index delegated_runs_by_parent on delegated_runs (workspace_id, parent_run_id);
