-- Conversations that their owners share with people, groups and roles of the workspace.
create table conversation_shares (
  workspace_id uuid not null,
  conversation_id uuid not null,
  id uuid not null,
  tenant_id uuid not null,
  person_id uuid references people (id) on delete cascade,
  user_group_id uuid references user_groups (id) on delete cascade,
  role_id uuid,
  access text not null check (access in ('read', 'write')),
  created_at timestamptz(3) not null default now(),
  created_by uuid,
  primary key (workspace_id, conversation_id, id),
  unique nulls not distinct (workspace_id, conversation_id, person_id, user_group_id, role_id),
  check (num_nonnulls(person_id, user_group_id, role_id) = 1),
  foreign key (workspace_id, conversation_id) references conversations on delete cascade,
  foreign key (tenant_id, role_id) references roles (tenant_id, id) on delete cascade
);
create index conversation_shares_of_person on conversation_shares (person_id) where person_id is not null;
create index conversation_shares_of_group on conversation_shares (user_group_id) where user_group_id is not null;
create index conversation_shares_of_role on conversation_shares (tenant_id, role_id) where role_id is not null;

-- The people whom conversations are shared with now, one row for each way.
create view conversation_share_people (workspace_id, conversation_id, share_id, person_id, access) as
  select s.workspace_id, s.conversation_id, s.id, s.person_id, s.access
  from conversation_shares s where s.person_id is not null
  union all
  select s.workspace_id, s.conversation_id, s.id, m.person_id, s.access
  from conversation_shares s join user_group_members m on m.user_group_id = s.user_group_id
  union all
  select s.workspace_id, s.conversation_id, s.id, m.person_id, s.access
  from conversation_shares s
  join members m on m.tenant_id = s.tenant_id and m.role_id = s.role_id and m.workspace_id = s.workspace_id
  union all
  select s.workspace_id, s.conversation_id, s.id, m.person_id, s.access
  from conversation_shares s
  join member_groups g on g.tenant_id = s.tenant_id and g.role_id = s.role_id and g.workspace_id = s.workspace_id
  join user_group_members m on m.user_group_id = g.user_group_id;

create or replace function notifies(happened text) returns boolean stable language sql as $$
  select happened in ('run.failed', 'approval.asked', 'approval.answered', 'budget.warned', 'budget.reached',
      'deployment.failing', 'trigger.failed', 'webhook.disabled', 'mcp_server.tools_held', 'document.shared',
      'conversation.shared')
    and exists (select from people)
$$;

-- Names at most as many people as are notified of one event.
create function publish_shared_conversation() returns trigger language plpgsql as $$
declare
  owner uuid := person_of_conversation(new.workspace_id, new.conversation_id);
begin
  perform publish_live(new.workspace_id, 'conversation.shared', json_build_object(
    'conversation_id', new.conversation_id, 'actor_id', new.created_by,
    'people', (select coalesce(json_agg(named.person_id), '[]') from (
      select distinct p.person_id from conversation_share_people p
      where p.workspace_id = new.workspace_id and p.conversation_id = new.conversation_id and p.share_id = new.id
        and p.person_id is distinct from new.created_by and p.person_id is distinct from owner limit 200) named)));
  return null;
end
$$;
create trigger conversation_shares_shared after insert on conversation_shares
  for each row execute function publish_shared_conversation();

-- For those who still see the conversation, and for the person who does not any more. None when it was deleted.
create function publish_unshared_conversation() returns trigger language plpgsql as $$
begin
  if not exists (select from conversations where workspace_id = old.workspace_id and id = old.conversation_id) then
    return null;
  end if;
  perform publish_live(old.workspace_id, 'conversation.unshared',
    json_build_object('conversation_id', old.conversation_id));
  if old.person_id is not null then
    perform publish_live(old.workspace_id, 'conversation.unshared',
      json_build_object('conversation_id', old.conversation_id, 'person_id', old.person_id));
  end if;
  return null;
end
$$;
create trigger conversation_shares_unshared after delete on conversation_shares
  for each row execute function publish_unshared_conversation();
