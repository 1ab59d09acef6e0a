-- Triggers start workflows and agents by themselves; webhooks tell other programs what happened here.

create table triggers (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  target_kind text not null check (target_kind in ('workflow', 'agent')),
  target_id uuid not null,
  -- The version it is pinned to; none follows the newest.
  version_id uuid,
  type text not null check (type in ('schedule', 'webhook', 'event', 'slack', 'teams')),
  name text not null,
  enabled boolean not null,
  definition json not null,
  -- What senders of a webhook sign with, sealed.
  secret text,
  routing_key text not null,
  -- Of a webhook: it is looked up by its hash, so that how long that takes says nothing of the key.
  routing_hash bytea unique,
  -- Of an event trigger: what it waits for, and the one table, knowledge base, agent or workflow that it is about.
  event text,
  subject_id uuid,
  -- Who its runs act for.
  principal json not null,
  -- The one next fire of a schedule. Whoever moves it on, in the same transaction, has fired it.
  next_fire_at timestamptz(3),
  last_fired_at timestamptz(3),
  last_run_at timestamptz(3),
  last_error json,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);
create index triggers_by_target on triggers (workspace_id, target_kind, target_id, id);
create index triggers_due on triggers (next_fire_at) where type = 'schedule' and enabled;
create index triggers_by_event on triggers (workspace_id, event) where type = 'event' and enabled;

-- Each time a trigger fired. The key says what made it fire: the slot, the sender's id of a message, the event.
create table trigger_deliveries (
  workspace_id uuid not null,
  id uuid not null,
  trigger_id uuid not null,
  source text not null check (source in ('schedule', 'webhook', 'event', 'manual', 'redelivery')),
  dedupe_key text not null,
  input json not null,
  status text not null default 'pending' check (status in ('pending', 'started', 'failed')),
  -- How many triggers stand one behind the other until here.
  depth integer not null default 0,
  attempts integer not null default 0,
  next_attempt_at timestamptz(3),
  run_id uuid,
  error json,
  redelivery_of uuid,
  fired_at timestamptz(3) not null,
  finished_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, trigger_id) references triggers on delete cascade,
  unique (workspace_id, trigger_id, dedupe_key)
);
create index trigger_deliveries_due on trigger_deliveries (next_attempt_at) where status = 'pending';
create index trigger_deliveries_by_trigger on trigger_deliveries (workspace_id, trigger_id, id desc);
create index trigger_deliveries_old on trigger_deliveries (created_at);

create table webhooks (
  workspace_id uuid not null references workspaces on delete cascade,
  id uuid not null,
  name text not null,
  url text not null,
  events text[] not null,
  secret text not null,
  enabled boolean not null,
  -- Since when nothing has arrived there, and why it was switched off.
  failing_since timestamptz(3),
  notice json,
  last_delivered_at timestamptz(3),
  last_error json,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, id)
);

create table webhook_deliveries (
  workspace_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event text not null,
  payload text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz(3),
  response_status integer,
  error json,
  redelivery_of uuid,
  created_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  primary key (workspace_id, id),
  foreign key (workspace_id, webhook_id) references webhooks on delete cascade
);
create index webhook_deliveries_due on webhook_deliveries (next_attempt_at) where status = 'pending';
create index webhook_deliveries_by_webhook on webhook_deliveries (workspace_id, webhook_id, id desc);
create index webhook_deliveries_old on webhook_deliveries (created_at);

-- What happened, written by the transaction in which it did, for as long as nobody has looked at it.
create table outbox (
  id bigint generated always as identity primary key,
  workspace_id uuid not null references workspaces on delete cascade,
  event text not null,
  -- The agent, workflow, table or knowledge base it happened to.
  subject_id uuid,
  -- The delivery of a trigger that led to it, where one did.
  cause text,
  data json not null,
  created_at timestamptz(3) not null default now()
);

-- What nobody waits for is not written down.
create function someone_listens(workspace uuid, happened text) returns boolean stable language sql as $$
  select exists (select from triggers where workspace_id = workspace and type = 'event' and enabled
      and event in (happened, split_part(happened, '.', 1)))
    or exists (select from webhooks where workspace_id = workspace and enabled
      and events && array[happened, split_part(happened, '.', 1)])
$$;

create function ring_for_outbox() returns trigger language plpgsql as $$
begin
  perform pg_notify('atrium_bell', '["outbox",""]');
  return null;
end
$$;
create trigger outbox_rings after insert on outbox for each row execute function ring_for_outbox();
