-- What guardrails found. The reason is in general words; the text that was checked is nowhere in it.

create table safety_violations (
  workspace_id uuid not null,
  conversation_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  -- The message it was found in, when that is kept.
  message_id uuid,
  stage text not null check (stage in ('input', 'tool', 'output')),
  category text not null,
  severity text not null check (severity in ('low', 'moderate', 'severe')),
  reason text not null,
  action text not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, conversation_id, id),
  foreign key (workspace_id, conversation_id) references conversations on delete cascade,
  foreign key (workspace_id, run_id) references runs on delete cascade
);
create index safety_violations_by_run on safety_violations (workspace_id, run_id);

-- Texts that guardrails have flagged since the conversation was last unlocked.
alter table conversations add column violations integer not null default 0;
