-- Shares end with what they were given for: those of a person with their last way into the workspace, and everybody who
-- loses a conversation is told, whichever of share, role, group or membership ended.

create function belongs_to_workspace(workspace uuid, person uuid) returns boolean stable language sql as $$
  select exists (select from people where id = person and tenant_admin)
    or exists (select from members where workspace_id = workspace and person_id = person)
    or exists (select from member_groups g join user_group_members m on m.user_group_id = g.user_group_id
      where g.workspace_id = workspace and m.person_id = person)
$$;

-- Ends the shares of people in workspaces that they do not belong to any more, with a row of the audit log for each.
create function end_shares_of(people uuid[]) returns void language plpgsql as $$
begin
  with ended as (
    delete from conversation_shares s
    where s.person_id = any(people) and not belongs_to_workspace(s.workspace_id, s.person_id)
    returning s.*),
  written as (
    insert into audit_log (id, tenant_id, workspace_id, operation, outcome, actor_kind, actor_id, target_kind, target_id,
      parent_kind, parent_id, before)
    select gen_random_uuid(), tenant_id, workspace_id, 'conversations.unshareWith', 'done', 'system', 'system',
      'conversation_share', id, 'conversation', conversation_id,
      json_build_object('kind', 'person', 'grantee_id', person_id, 'access', access, 'created_by', created_by)
    from ended returning id)
  insert into audit_unlinked (row_id) select id from written;
end
$$;

-- At the end of the transaction: a membership that is given again in it ends nothing.
create function end_shares_of_person() returns trigger language plpgsql as $$
begin
  perform end_shares_of(array[(to_jsonb(old) ->> tg_argv[0])::uuid]);
  return null;
end
$$;
create constraint trigger end_shares after delete on members deferrable initially deferred
  for each row execute function end_shares_of_person('person_id');
create constraint trigger end_shares after delete on user_group_members deferrable initially deferred
  for each row execute function end_shares_of_person('person_id');
create constraint trigger end_shares after update of tenant_admin on people deferrable initially deferred
  for each row when (old.tenant_admin and not new.tenant_admin) execute function end_shares_of_person('id');

create function end_shares_of_group() returns trigger language plpgsql as $$
begin
  perform end_shares_of(array(select person_id from user_group_members where user_group_id = old.user_group_id));
  return null;
end
$$;
create constraint trigger end_shares after delete on member_groups deferrable initially deferred
  for each row execute function end_shares_of_group();

-- Tells people of conversations that they do not see any more, where somebody watches the workspace. At most 1000 events for
-- one change.
create function publish_lost_shares(shares uuid[], people uuid[]) returns void language sql as $$
  select publish_live(lost.workspace_id, 'conversation.unshared',
    json_build_object('conversation_id', lost.conversation_id, 'person_id', lost.person_id))
  from (
    select distinct s.workspace_id, s.conversation_id, reader.person_id
    from conversation_shares s
    join event_feeds f on f.workspace_id = s.workspace_id and f.watched_until > now()
    join conversations c on c.workspace_id = s.workspace_id and c.id = s.conversation_id
    cross join unnest(people) as reader (person_id)
    where s.id = any(shares) and c.person_id is distinct from reader.person_id
      and not exists (select from conversation_share_people p where p.workspace_id = s.workspace_id
        and p.conversation_id = s.conversation_id and p.person_id = reader.person_id)
    limit 1000) lost
$$;

create function publish_lost_group() returns trigger language plpgsql as $$
begin
  perform publish_lost_shares(array(
    select s.id from conversation_shares s where s.user_group_id = old.user_group_id
    union all
    select s.id from conversation_shares s
    join member_groups g on g.tenant_id = s.tenant_id and g.role_id = s.role_id and g.workspace_id = s.workspace_id
    where g.user_group_id = old.user_group_id), array[old.person_id]);
  return null;
end
$$;
create trigger publish_lost_shares after delete on user_group_members
  for each row execute function publish_lost_group();

-- For members and for the groups that are members.
create function publish_lost_role() returns trigger language plpgsql as $$
declare
  losers uuid[];
begin
  if tg_table_name = 'members' then
    losers := array[old.person_id];
  else
    losers := array(select person_id from user_group_members where user_group_id = old.user_group_id);
  end if;
  perform publish_lost_shares(array(
    select s.id from conversation_shares s
    where s.tenant_id = old.tenant_id and s.role_id = old.role_id and s.workspace_id = old.workspace_id), losers);
  return null;
end
$$;
create trigger publish_lost_shares after delete on members for each row execute function publish_lost_role();
create trigger publish_lost_shares_of_role after update of role_id on members
  for each row when (old.role_id <> new.role_id) execute function publish_lost_role();
create trigger publish_lost_shares after delete on member_groups for each row execute function publish_lost_role();
create trigger publish_lost_shares_of_role after update of role_id on member_groups
  for each row when (old.role_id <> new.role_id) execute function publish_lost_role();

-- For those who still see the conversation, and for the people who do not any more. None when it was deleted.
create or replace function publish_unshared_conversation() returns trigger language plpgsql as $$
declare
  owner uuid := person_of_conversation(old.workspace_id, old.conversation_id);
begin
  if not exists (select from conversations where workspace_id = old.workspace_id and id = old.conversation_id) then
    return null;
  end if;
  perform publish_live(old.workspace_id, 'conversation.unshared',
    json_build_object('conversation_id', old.conversation_id));
  perform publish_live(old.workspace_id, 'conversation.unshared',
    json_build_object('conversation_id', old.conversation_id, 'person_id', lost.person_id))
  from (
    select distinct grantee.person_id from (
      select old.person_id
      union all
      select m.person_id from user_group_members m where m.user_group_id = old.user_group_id
      union all
      select m.person_id from members m
      where m.tenant_id = old.tenant_id and m.role_id = old.role_id and m.workspace_id = old.workspace_id
      union all
      select m.person_id from member_groups g join user_group_members m on m.user_group_id = g.user_group_id
      where g.tenant_id = old.tenant_id and g.role_id = old.role_id and g.workspace_id = old.workspace_id
    ) as grantee (person_id)
    where grantee.person_id is not null and grantee.person_id is distinct from owner
      and not exists (select from conversation_share_people p where p.workspace_id = old.workspace_id
        and p.conversation_id = old.conversation_id and p.person_id = grantee.person_id)
    limit 1000) lost;
  return null;
end
$$;

-- Rows that go by a foreign key do not see each other any more when their triggers run.
create function end_shares_with_group() returns trigger language plpgsql as $$
begin
  delete from conversation_shares where user_group_id = old.id;
  delete from user_group_members where user_group_id = old.id;
  return old;
end
$$;
create trigger end_shares before delete on user_groups for each row execute function end_shares_with_group();

-- Of people who were removed before this.
select end_shares_of(array(select distinct person_id from conversation_shares where person_id is not null));
