-- What people are told of, by list, mail and push. Rows have ids and no names or words.
create table notifications (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  workspace_id uuid not null references workspaces on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  kind text not null,
  target_kind text,
  target_id text,
  parent_kind text,
  parent_id text,
  actor_id text,
  -- The permissions of which the person needs one to see it.
  needs text[] not null,
  -- The same thing is told once.
  dedupe_key text not null,
  mail boolean not null,
  mailed_at timestamptz(3),
  read_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  unique (person_id, dedupe_key)
);
create index notifications_of_person on notifications (person_id, id desc);
create index notifications_unread on notifications (person_id, id desc) where read_at is null;
create index notifications_to_mail on notifications (person_id, created_at)
  where mail and mailed_at is null and read_at is null;
create index notifications_mailed on notifications (person_id, mailed_at) where mailed_at is not null;
create index notifications_old on notifications (created_at);

-- The browsers that notifications are pushed to. The address is as good as a secret: who knows it can write to it.
create table push_subscriptions (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  person_id uuid not null references people (id) on delete cascade,
  label text not null,
  origin text not null,
  endpoint_hash bytea not null,
  -- The address and the keys of the browser.
  sealed text not null,
  last_sent_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  unique (person_id, endpoint_hash)
);

-- The keys that push services know an organization by.
create table push_keys (
  tenant_id uuid primary key references tenants on delete cascade,
  public_key text not null,
  sealed text not null,
  created_at timestamptz(3) not null default now()
);

-- Mails that bring no link go with their person.
alter table outgoing_mails
  alter column link_id drop not null,
  add column person_id uuid references people (id) on delete cascade,
  add constraint outgoing_mails_have_reason check ((link_id is null) <> (person_id is null));
create index outgoing_mails_of_person on outgoing_mails (person_id) where person_id is not null;

-- These events are published whether or not a reader watches, once there are people.
create function notifies(happened text) returns boolean stable language sql as $$
  select happened in ('run.failed', 'approval.asked', 'approval.answered', 'budget.warned', 'budget.reached',
      'deployment.failing', 'trigger.failed', 'webhook.disabled', 'mcp_server.tools_held', 'document.shared')
    and exists (select from people)
$$;

create or replace function someone_listens(workspace uuid, happened text) returns boolean stable language sql as $$
  select exists (select from event_feeds where workspace_id = workspace and watched_until > now())
    or exists (select from triggers where workspace_id = workspace and type = 'event' and enabled
      and event in (happened, split_part(happened, '.', 1)))
    or exists (select from webhooks where workspace_id = workspace and enabled
      and events && array[happened, split_part(happened, '.', 1)])
    or notifies(happened)
$$;

create or replace function publish_live(workspace uuid, happened text, details json) returns void language sql as $$
  insert into outbox (workspace_id, event, subject_id, cause, data)
  select w.id, 'live:' || happened, null, null, details
  from workspaces w left join event_feeds f on f.workspace_id = w.id
  where w.id = workspace and (f.watched_until > now() or notifies(happened))
$$;

-- What a person holds in each workspace now.
create function rights_of_person(person uuid) returns table (tenant_id uuid, workspace_id uuid, permissions text[])
stable language sql as $$
  select r.tenant_id, r.workspace_id, r.permissions from person_rights r where r.person_id = person
$$;

-- The person behind a run of a workflow.
create function person_of_workflow_run(workspace uuid, run uuid) returns uuid stable language sql as $$
  select coalesce(r.principal ->> 'person_id',
    case when r.principal -> 'actor' ->> 'kind' = 'person' then r.principal -> 'actor' ->> 'id' end)::uuid
  from workflow_runs r where r.workspace_id = workspace and r.id = run
$$;

create function owner_of_trigger(workspace uuid, trigger_id uuid) returns uuid stable language sql as $$
  select t.owner_id from triggers t where t.workspace_id = workspace and t.id = trigger_id
$$;

create function owner_of_deployment(workspace uuid, deployment uuid) returns uuid stable language sql as $$
  select d.owner_id from deployments d where d.workspace_id = workspace and d.id = deployment
$$;

-- The permission that the step of a workflow asks of who answers, and who started its run.
create function approval_of_workflow(workspace uuid, approval uuid)
returns table (needs text, four_eyes boolean, started_by uuid) stable language sql as $$
  select q.needs, q.four_eyes, person_of_workflow_run(q.workspace_id, q.run_id)
  from workflow_approvals q where q.workspace_id = workspace and q.id = approval
$$;

create function request_of_conversation(workspace uuid, request uuid)
returns table (four_eyes boolean, person_id uuid) stable language sql as $$
  select q.four_eyes, c.person_id
  from human_requests q join conversations c on c.workspace_id = q.workspace_id and c.id = q.conversation_id
  where q.workspace_id = workspace and q.id = request
$$;

-- People who are named as viewers of a document.
create function publish_shared_document() returns trigger language plpgsql as $$
declare
  before text[] := case when tg_op = 'UPDATE' then coalesce(old.visible_to, '{}') else '{}' end;
  named text[];
begin
  select array_agg(substr(word, 8)) into named from unnest(new.visible_to) word
  where word like 'person:%' and word <> all (before);
  if named is not null then
    perform publish_live(new.workspace_id, 'document.shared',
      json_build_object('knowledge_base_id', new.kb_id, 'document_id', new.id, 'people', named));
  end if;
  return null;
end
$$;
create trigger kb_documents_shared_new after insert on kb_documents
  for each row when (new.visible_to is not null) execute function publish_shared_document();
create trigger kb_documents_shared after update of visible_to on kb_documents
  for each row when (new.visible_to is not null and old.visible_to is distinct from new.visible_to)
  execute function publish_shared_document();
