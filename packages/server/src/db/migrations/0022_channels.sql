-- Where agents are reached from outside: deployments to channels, what came in through them and what is to go out.

create table deployments (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null unique,
  agent_id uuid not null,
  channel text not null check (channel in ('web', 'webhook', 'slack', 'teams', 'email')),
  name text not null,
  enabled boolean not null,
  custom_instructions text,
  -- What may be shown of how it is set up, and the secrets, sealed.
  config json not null,
  secrets text,
  -- The secret part of the public page's address; looked up by its hash.
  token_hash bytea unique,
  token text,
  -- What its runs may do: no more than whoever made it.
  permissions text[] not null,
  last_message_at timestamptz(3),
  last_error text,
  last_error_at timestamptz(3),
  etag_ms bigint not null,
  etag_seq integer not null default 0,
  created_at timestamptz(3) not null default now(),
  last_updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, agent_id) references agents on delete cascade
);
create index deployments_by_agent on deployments (workspace_id, agent_id, id);

-- Which conversation a thread of a channel is. `ref` says where its newest message came from.
create table channel_threads (
  workspace_id uuid not null,
  deployment_id uuid not null,
  thread text not null,
  conversation_id uuid not null,
  ref json not null,
  -- The message that says that the agent thinks, as the channel names it; the answer takes its place.
  placeholder text,
  primary key (workspace_id, deployment_id, thread),
  foreign key (workspace_id, deployment_id) references deployments on delete cascade,
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
);
create index channel_threads_by_conversation on channel_threads (workspace_id, conversation_id);

-- What channels have delivered: acknowledged once it is here, and one row however often it is delivered.
create table channel_inbox (
  workspace_id uuid not null,
  id uuid not null,
  deployment_id uuid not null,
  event_id text not null,
  thread text not null,
  ref json not null,
  -- What was said, until it is in its conversation.
  payload text,
  status text not null default 'pending' check (status in ('pending', 'done', 'ignored', 'failed')),
  attempts integer not null default 0,
  run_id uuid,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, deployment_id, event_id),
  foreign key (workspace_id, deployment_id) references deployments on delete cascade
);
create index channel_inbox_pending on channel_inbox (workspace_id, deployment_id, thread, id) where status = 'pending';
create index channel_inbox_by_run on channel_inbox (workspace_id, run_id) where run_id is not null;
create index channel_inbox_old on channel_inbox (created_at);

-- What is to be told to channels, in its order.
create table channel_outbox (
  workspace_id uuid not null,
  id bigint generated always as identity,
  deployment_id uuid not null,
  conversation_id uuid not null,
  kind text not null check (kind in ('message', 'waiting', 'notice')),
  message_id uuid,
  run_id uuid,
  -- Of a notice.
  said text,
  status text not null default 'pending' check (status in ('pending', 'sent', 'failed')),
  -- How much of its text has arrived: what is interrupted goes on from there.
  sent_length integer not null default 0,
  attempts integer not null default 0,
  -- Rises when there is more to tell of the same message.
  revision integer not null default 0,
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, message_id),
  foreign key (workspace_id, deployment_id) references deployments on delete cascade,
  foreign key (workspace_id, conversation_id) references conversations on delete cascade
);
create index channel_outbox_pending on channel_outbox (workspace_id, conversation_id, id) where status = 'pending';
create index channel_outbox_old on channel_outbox (created_at);

-- Whatever way a reply takes into a conversation of a channel (a run, a person), it is due to go out from the moment
-- it is stored: the two are one transaction. The public page reads for itself.
create function channel_tell(workspace uuid, conversation uuid, what text, message uuid, run uuid) returns void
language plpgsql as $$
declare deployed uuid;
begin
  -- Nearly all conversations belong to no deployment, and this is all that they pay.
  select c.deployment_id into deployed from conversations c where c.workspace_id = workspace and c.id = conversation;
  if deployed is null then return; end if;
  -- Held, so that it can't be deleted in between.
  perform from deployments d where d.workspace_id = workspace and d.id = deployed and d.channel <> 'web' for key share;
  if not found then return; end if;
  insert into channel_outbox (workspace_id, deployment_id, conversation_id, kind, message_id, run_id)
    values (workspace, deployed, conversation, what, message, run)
    on conflict (workspace_id, message_id) do update set status = 'pending', attempts = 0, revision = channel_outbox.revision + 1;
  perform graphile_worker.add_job('channels.deliver',
    json_build_object('workspace_id', workspace, 'conversation_id', conversation), max_attempts => 25,
    job_key => 'channel-out ' || conversation, queue_name => 'channel-out ' || conversation);
end
$$;

create function channel_tell_message() returns trigger language plpgsql as $$
begin
  perform channel_tell(new.workspace_id, new.conversation_id, 'message', new.id, new.run_id);
  return null;
end
$$;
create trigger messages_told_to_channels after insert or update of parts on messages
  for each row when (new.role = 'assistant') execute function channel_tell_message();

create function channel_tell_waiting() returns trigger language plpgsql as $$
begin
  perform channel_tell(new.workspace_id, new.id, 'waiting', null, null);
  return null;
end
$$;
create trigger waiting_told_to_channels after update of status on conversations
  for each row when (new.status = 'awaiting_human_feedback' and old.status <> new.status and new.deployment_id is not null)
  execute function channel_tell_waiting();
