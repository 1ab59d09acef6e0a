-- What models were told, as it left the platform: after the veil, and sealed. Kept for a while only.
create table call_prompts (
  workspace_id uuid not null,
  call_id uuid not null,
  conversation_id uuid not null,
  run_id uuid not null,
  sealed text not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, call_id),
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
);
create index call_prompts_by_run on call_prompts (workspace_id, run_id);
create index call_prompts_by_time on call_prompts using brin (created_at);
