-- Conversations and their messages.

create table conversations (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  user_id uuid,
  api_key_id uuid,
  name text,
  assistant_id uuid,
  -- The version it is pinned to; none when it follows the draft or has no agent.
  assistant_version_id uuid,
  status text not null default 'queued' check (status in
    ('queued', 'running', 'completed', 'failed', 'stopped', 'awaiting_human_feedback')),
  manual boolean not null default false,
  preview boolean not null default false,
  -- Settings sent with the conversation, as JSON text; null when there are none.
  settings text,
  -- Values for {{name}}, sealed: they may hold anything.
  variables text,
  chat_transport text,
  channel_ref json,
  deployment_id uuid,
  public_token_hash bytea unique,
  public_token text,
  todos json not null default '[]',
  is_locked boolean not null default false,
  lock_message text,
  message_count integer not null default 0,
  etag_ms bigint not null,
  etag_seq integer not null default 0,
  created_at timestamptz(3) not null default now(),
  last_updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, assistant_id) references agents,
  foreign key (workspace_id, assistant_version_id) references agent_versions
);
create index conversations_by_update on conversations (workspace_id, last_updated_at desc, id desc);
-- Lists leave out conversations that nobody has said anything in.
create index conversations_begun on conversations (workspace_id, last_updated_at desc, id desc) where message_count > 0;
create index conversations_by_agent on conversations (workspace_id, assistant_id, last_updated_at desc, id desc);

-- seq counts from 1 without gaps: a page is a range of it, and appending never looks at what is there.
create table messages (
  workspace_id uuid not null,
  conversation_id uuid not null,
  seq integer not null,
  id uuid not null,
  role text not null check (role in ('user', 'assistant', 'system')),
  parts text not null,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, conversation_id, seq),
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
);
