-- What the tools that every agent has keep.

-- Files that tools made for a conversation. Those that came with messages stand in the messages.
create table conversation_files (
  workspace_id uuid not null,
  conversation_id uuid not null,
  file_id uuid not null,
  run_id uuid not null,
  tool text not null,
  inline boolean not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, conversation_id, file_id),
  foreign key (workspace_id, conversation_id) references conversations on delete cascade,
  foreign key (workspace_id, file_id) references files on delete cascade
);
create index conversation_files_by_file on conversation_files (workspace_id, file_id);

-- The sandbox that a conversation's code runs in. It ends when idle; the next call makes another.
create table conversation_sandboxes (
  workspace_id uuid not null,
  conversation_id uuid not null,
  sandbox_id uuid not null,
  primary key (workspace_id, conversation_id),
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
);

-- What agents have noted: for one conversation, or for all of an agent's.
create table memories (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  agent_id uuid,
  conversation_id uuid,
  -- Whom it is about and shown to again: everyone, one user, or whoever holds one link.
  subject text not null check (subject in ('everyone', 'user', 'link')),
  subject_id uuid,
  text text not null,
  -- Where it comes from.
  from_conversation_id uuid,
  from_run_id uuid,
  actor_kind text not null,
  actor_id text not null,
  -- Whether whoever wrote it had read what anybody may have written.
  untrusted boolean not null,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  words tsvector not null generated always as (to_tsvector('english', text)) stored,
  primary key (workspace_id, id),
  check ((agent_id is null) <> (conversation_id is null)),
  foreign key (workspace_id, agent_id) references agents on delete cascade,
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
);
create index memories_by_agent on memories (workspace_id, agent_id, id desc);
create index memories_by_conversation on memories (workspace_id, conversation_id, id desc);
